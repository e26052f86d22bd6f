import type { CSSProperties, ReactNode } from 'react'
import type { DecodedToken } from '../../../../server/contract/control-flows.ts'
import { classNames } from '../../../lib/class-names.ts'
import { toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { DifferenceText } from '../../../shared/uri-difference.tsx'
import { plural } from '../../../lib/format.ts'
import { stepLooks } from '../../../shared/flow-looks.ts'
import { type Artefact, type Part, readableClaims } from '../model/choose-artefact.ts'

type Of<Kind extends Artefact['kind']> = Extract<Artefact, { kind: Kind }>

/** Draws the artefact of a step large enough for the last row. */
export function ArtefactView({ artefact }: { artefact: Artefact }) {
  if (artefact.kind === 'url') return <UrlParts artefact={artefact} />
  if (artefact.kind === 'pkce') return <PkceMeeting artefact={artefact} />
  if (artefact.kind === 'tokens') return <TokensApart artefact={artefact} />
  if (artefact.kind === 'exchange') return <TwoTokens artefact={artefact} />
  if (artefact.kind === 'device') return <DeviceCodes artefact={artefact} />
  if (artefact.kind === 'redirect-uri') return <RedirectUris artefact={artefact} />
  return (
    <figure>
      <Label>{artefact.kind === 'parts' ? artefact.label : 'Response to the app'}</Label>
      <Rows parts={artefact.parts} />
    </figure>
  )
}

/** Position of a part, which appears after the ones before it. */
function nth(index: number): CSSProperties {
  return { '--nth': String(index) }
}

function Label({ children }: { children: ReactNode }) {
  return <p className="pb-0.5 text-sm text-muted">{children}</p>
}

function Box({ label, children, tone = 'border-line' }: BoxProps) {
  return (
    <div className={classNames('min-w-0 rounded-lg border-2 bg-surface px-3 py-2', tone)}>
      <Label>{label}</Label>
      <p className="font-mono text-base break-all">{children}</p>
    </div>
  )
}

interface BoxProps {
  label: string
  tone?: string
  children: ReactNode
}

function UrlParts({ artefact: { base, parts } }: { artefact: Of<'url'> }) {
  return (
    <figure>
      <Label>{base.startsWith('/') ? 'The browser requests' : 'The browser is sent to'}</Label>
      <p className="font-mono text-lg break-all">{base}</p>
      <ul className="stage-apart pt-1 pl-4 font-mono text-base">
        {parts.map(({ name, value, isKey }, index) => (
          <li
            key={name}
            style={nth(index)}
            className={classNames(
              'flex items-baseline gap-1.5',
              isKey
                ? 'my-1 rounded-lg bg-accent-soft px-2 py-1 text-lg font-semibold'
                : 'text-muted',
            )}
          >
            <span className="shrink-0">
              {index === 0 ? '?' : '&'}
              {name}=
            </span>
            <span className={isKey ? 'break-all' : 'truncate'}>{value}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function PkceMeeting({ artefact: { pkce } }: { artefact: Of<'pkce'> }) {
  const { challenge, verifier, computed, equal, method } = pkce
  const tone = equal === true ? 'border-ok' : 'border-bad'
  return (
    <figure className="stage-apart flex flex-col gap-1.5">
      <Box label="code_verifier, sent now">{verifier?.value}</Box>
      <p style={nth(1)} className="pl-3 text-base text-muted">
        ↓ {method === 'S256' ? 'SHA-256' : method}
      </p>
      <div style={nth(2)}>
        <Box label="computed from it" tone={tone}>
          {computed}
        </Box>
      </div>
      <p
        style={nth(3)}
        className={classNames(
          'flex items-center gap-2 pl-3 text-base font-semibold',
          equal === true ? 'text-ok' : 'text-bad',
        )}
      >
        <span className="text-xl leading-none">{equal === true ? '=' : '≠'}</span>
        {equal === true
          ? 'They match: the app that requested the code redeems it.'
          : 'They differ: this is another app, or another request.'}
      </p>
      <div style={nth(4)}>
        <Box label="code_challenge, sent before" tone={tone}>
          {challenge}
        </Box>
      </div>
    </figure>
  )
}

/** Tokens of a response; a JWT comes apart into header, claims and signature. */
function TokensApart({ artefact: { tokens } }: { artefact: Of<'tokens'> }) {
  const jwt = tokens.find(({ claims }) => claims !== undefined)
  return (
    <figure className="flex flex-col gap-2">
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {tokens.map(({ name, value }) => (
          <div
            key={name}
            className={classNames(
              'min-w-0 rounded-lg border-2 px-2.5 py-1',
              name === jwt?.name ? 'border-accent bg-accent-soft' : 'border-line',
            )}
          >
            <Label>{name}</Label>
            <p className="truncate font-mono text-sm">{value}</p>
          </div>
        ))}
      </div>
      {jwt && <JwtApart token={jwt} />}
    </figure>
  )
}

function JwtApart({ token }: { token: DecodedToken }) {
  const failed = [
    ...(token.signature?.valid === false ? [token.signature.explanation] : []),
    ...(token.checks ?? []).flatMap(({ claim, valid, explanation }) =>
      valid ? [] : [`${claim} ${explanation}`],
    ),
  ]
  const header = (token.header ?? []).map(({ name, value }) => `${name} ${value}`).join(' · ')
  return (
    <div className="stage-apart flex flex-col gap-2">
      <div style={nth(0)}>
        <Label>header</Label>
        <p className="truncate font-mono text-sm">{header}</p>
      </div>
      <div style={nth(1)} className="border-l-3 border-accent pl-3">
        <Label>claims</Label>
        <Rows parts={readableClaims(token)} />
      </div>
      {token.signature && (
        <div style={nth(2)}>
          <Label>signature</Label>
          <p className="flex items-start gap-1.5 text-sm">
            <Sign ok={token.signature.valid} /> {token.signature.explanation}
          </p>
        </div>
      )}
      {failed.slice(token.signature?.valid === false ? 1 : 0).map((reason) => (
        <p key={reason} style={nth(3)} className="flex items-start gap-1.5 text-base text-bad">
          <Sign ok={false} /> {reason}
        </p>
      ))}
    </div>
  )
}

function Sign({ ok }: { ok: boolean }) {
  return (
    <Icon
      name={ok ? 'check' : 'cross'}
      className={classNames('mt-0.5 size-4', ok ? 'text-ok' : 'text-bad')}
    />
  )
}

function Rows({ parts }: { parts: readonly Part[] }) {
  return (
    <dl className="stage-apart grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 font-mono text-base">
      {parts.map(({ name, value }, index) => (
        <div key={name} style={nth(index)} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="truncate">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Subject token and the access token it is exchanged for, with the checks between them. */
function TwoTokens({ artefact: { subject, token, links } }: { artefact: Of<'exchange'> }) {
  const refused = links.find(({ outcome }) => outcome === 'refused')
  const between = links.filter(({ label }) => !['subject', 'token', 'audit row'].includes(label))
  return (
    <figure className="stage-apart flex flex-col gap-2">
      <Box label="Subject token">{subject}</Box>
      <ul style={nth(1)} className="flex flex-col gap-0.5 border-l-3 border-line pl-3 text-base">
        {between.map(({ label, value, outcome }) => {
          const { icon, tone } = stepLooks[outcome]
          return (
            <li key={label} className="flex min-w-0 items-start gap-2">
              <Icon name={icon} className={classNames('mt-1 size-4', toneText[tone])} />
              <span className="shrink-0 text-muted">{label}</span>
              <span className="line-clamp-2 min-w-0">{value}</span>
            </li>
          )
        })}
      </ul>
      <p style={nth(2)} className="pl-3 text-base text-muted">
        ↓ exchanged for
      </p>
      <div style={nth(3)}>
        <Box
          label="Access token"
          tone={refused ? 'border-bad' : token === undefined ? 'border-dashed' : 'border-ok'}
        >
          {token ?? (refused ? 'not issued' : '…')}
        </Box>
      </div>
    </figure>
  )
}

function DeviceCodes({ artefact: { userCode, url } }: { artefact: Of<'device'> }) {
  return (
    <figure className="flex flex-col items-start gap-3">
      <QrCode text={url} label={`QR code of ${url}`} size="size-52" />
      <p className="text-base text-muted">
        Scan the code, or open <span className="font-mono break-all text-ink">{url}</span> and enter
      </p>
      <p className="font-mono text-[3.25rem] leading-tight font-semibold tracking-[0.1em] whitespace-nowrap">
        {userCode}
      </p>
    </figure>
  )
}

/** Shows the difference to the nearest registered URI, and counts the others: an audience cannot read a list of them. */
function RedirectUris({ artefact: { redirectUri } }: { artefact: Of<'redirect-uri'> }) {
  const { sent, registered, nearest } = redirectUri
  const others = nearest?.others ?? registered.length
  return (
    <figure className="stage-apart flex flex-col gap-2">
      <Box label="Sent" tone="border-bad">
        {nearest ? <DifferenceText parts={nearest.parts} of="sent" /> : sent}
      </Box>
      <p style={nth(1)} className="pl-3 text-xl leading-none text-bad">
        ≠
      </p>
      <div style={nth(2)}>
        {nearest && (
          <Box label={others > 0 ? 'Nearest registered' : 'Registered'}>
            <DifferenceText parts={nearest.parts} of="registered" />
          </Box>
        )}
        <p className="pt-1 pl-3 text-base text-muted">
          {nearest
            ? others > 0 && `and ${plural(others, 'other')}`
            : `${plural(others, 'redirect URI')} registered, none like it`}
        </p>
      </div>
    </figure>
  )
}
