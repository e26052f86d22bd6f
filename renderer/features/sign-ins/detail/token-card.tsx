import { Link } from 'wouter'
import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { JsonView } from '../../../shared/json-view.tsx'
import { Ago } from '../../../ui/time.tsx'
import { SecretValue } from './secret-value.tsx'
import { Verdict } from './verdict.tsx'
import { words } from '../words.ts'

type DecodedToken = FlowStepDetail['tokens'][number]
type Claim = NonNullable<DecodedToken['claims']>[number]

/** Decoded token. */
export function TokenCard({ token }: { token: DecodedToken }) {
  const { name, signature, atHash } = token
  return (
    <article aria-label={name} className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <header>
        <h5 className="font-mono text-xs font-semibold">{name}</h5>
        <SecretValue name={name} value={token.value} secret={token.secret} />
        {token.opaque && <p className="text-xs text-muted">Opaque token</p>}
        {token.tokenId && (
          <Link
            href={`/tokens/${encodeURIComponent(token.tokenId)}`}
            className="text-xs text-accent hover:underline"
          >
            {words.historyAndPermissions}
          </Link>
        )}
      </header>
      {signature && <Verdict holds={signature.valid}>{signature.explanation}</Verdict>}
      {atHash && (
        <Verdict holds={atHash.equal}>
          <span className="font-mono">at_hash</span>{' '}
          {atHash.equal
            ? 'matches the access token.'
            : `is ${atHash.claimed}, but the access token has ${atHash.computed}.`}
        </Verdict>
      )}
      {token.checks?.map(({ claim, valid, explanation }) => (
        <Verdict key={claim} holds={valid}>
          <span className="font-mono">{claim}</span> {explanation}
        </Verdict>
      ))}
      {token.header && <Claims title="Header" claims={token.header} />}
      {token.claims && <Claims title={words.claims} claims={token.claims} />}
    </article>
  )
}

function Claims({ title, claims }: { title: string; claims: readonly Claim[] }) {
  return (
    <table className="w-full table-fixed border-collapse text-xs">
      <caption className="pb-1 text-left text-2xs text-muted">{title}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value and meaning</th>
        </tr>
      </thead>
      <tbody>
        {claims.map(({ name, value, secret, meaning, time }) => (
          <tr key={name} className="border-t border-line/60 align-top">
            <th scope="row" className="w-2/5 py-1 pr-3 text-left font-mono font-medium break-all">
              {name}
            </th>
            <td className="py-1">
              {/^[{[]./.test(value) && !secret ? (
                <JsonView label={name} text={value} />
              ) : (
                <SecretValue name={name} value={value} secret={secret} />
              )}
              {time && (
                <span className="ml-2 text-accent">
                  <Ago time={time} />
                </span>
              )}
              {meaning && <p className="text-2xs text-muted">{meaning}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
