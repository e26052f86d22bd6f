import type { ReactNode } from 'react'
import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { classNames } from '../../../lib/class-names.ts'
import { SecretValue } from './secret-value.tsx'

/** Code verifier, and the challenge computed from it (RFC 7636 §4.6). */
export function PkcePair({ pkce }: { pkce: NonNullable<FlowStepDetail['pkce']> }) {
  const { method, challenge, verifier, computed, equal } = pkce
  return (
    <div className="flex flex-col text-sm">
      <Box name="code_verifier">
        {verifier ? (
          <SecretValue name="code_verifier" {...verifier} />
        ) : (
          <span className="text-xs text-muted">Sent with the token request.</span>
        )}
      </Box>
      <Joint>↓ {method === 'S256' ? 'SHA-256, then base64url (S256)' : method}</Joint>
      {computed !== undefined && (
        <>
          <Box name="challenge of that verifier">
            <span className="font-mono text-xs break-all">{computed}</span>
          </Box>
          <Joint tone={equal === true ? 'text-ok' : 'text-bad'}>
            <b className="text-base">{equal === true ? '=' : '≠'}</b>{' '}
            {equal === true ? 'match: same client' : 'no match: the code is refused'}
          </Joint>
        </>
      )}
      <Box name="code_challenge">
        <span className="font-mono text-xs break-all">{challenge}</span>
      </Box>
    </div>
  )
}

function Box({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-sunken/60 px-3 py-1.5">
      <p className="text-2xs text-muted">{name}</p>
      {children}
    </div>
  )
}

function Joint({ tone = 'text-muted', children }: { tone?: string; children: ReactNode }) {
  return <p className={classNames('px-3 py-0.5 text-xs', tone)}>{children}</p>
}
