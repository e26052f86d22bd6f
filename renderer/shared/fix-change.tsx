import type { Fix } from '../../server/contract/control-fixes.ts'
import { Badge } from '../ui/badge.tsx'

/** Changes of a fix. A redirect URI is shown whole, with a warning if it is not loopback. */
export function FixChange({ fix: { change, address, alsoExpires } }: { fix: Fix }) {
  const at = address === undefined ? -1 : change.indexOf(address.value)
  return (
    <div className="flex flex-col gap-1.5 text-sm break-words text-muted">
      {address === undefined || at < 0 ? (
        <p>{change}</p>
      ) : (
        <>
          <p>{change.slice(0, at)}</p>
          <Address address={address} />
          <p>{change.slice(at + address.value.length).replace(/^[, ]+/, '')}</p>
        </>
      )}
      {alsoExpires && <Expiring sentences={alsoExpires} />}
    </div>
  )
}

function Address({ address: { value, loopback } }: { address: NonNullable<Fix['address']> }) {
  return (
    <div className="flex flex-col items-start gap-1.5 rounded-lg border border-line bg-sunken p-2">
      <span className="font-mono text-xs break-all text-ink">{value}</span>
      {loopback ? (
        <Badge tone="ok" icon="check">
          loopback: this machine
        </Badge>
      ) : (
        <Badge tone="warn" icon="warning">
          not loopback
        </Badge>
      )}
    </div>
  )
}

function Expiring({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return <p>Nothing else changes.</p>
  return (
    <>
      <p>Also changes:</p>
      <ul className="list-disc pl-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
