import { Link } from 'wouter'
import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

type Evidence = AdviceFinding['evidence'][number]

/** Requests and attempts that prove a mistake, side by side. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <ol className="grid gap-2 lg:grid-cols-2">
      {evidence.map((entry, index) => (
        // One request may have two roles.
        <li key={`${entry.id} ${index}`} className="min-w-0 rounded-md bg-sunken px-2.5 py-2">
          <Place entry={entry} />
          <p className="text-xs break-words text-muted">{entry.note}</p>
          {entry.parameters && entry.parameters.length > 0 && (
            <Parameters line={entry.line ?? entry.id} parameters={entry.parameters} />
          )}
        </li>
      ))}
    </ol>
  )
}

function Place({ entry: { kind, id, line } }: { entry: Evidence }) {
  const look = 'block truncate font-mono text-xs text-accent hover:underline'
  if (kind === 'attempt') {
    const [delivery = '', number = ''] = id.split('/')
    return (
      <Link href={`/deliveries/${delivery}`} className={look}>
        {`Attempt ${number}`}
      </Link>
    )
  }
  if (line === undefined)
    return <p className="text-xs text-muted">The log no longer has this request.</p>
  return (
    <Link href={`/requests/${encodeURIComponent(id)}`} title={line} className={look}>
      {line}
    </Link>
  )
}

interface ParametersProps {
  line: string
  parameters: NonNullable<Evidence['parameters']>
}

/** Parameters of a request; the mistake is marked, also if it is a parameter that is missing. */
function Parameters({ line, parameters }: ParametersProps) {
  const names = new Set(parameters.filter(({ marked }) => marked).map(({ name }) => name))
  return (
    <dl
      aria-label={`Parameters of ${line}`}
      className="mt-1.5 grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-3 gap-y-0.5 font-mono text-2xs"
    >
      {parameters.slice(0, Math.max(6, names.size)).map(({ name, value, marked }, index) => (
        <div key={`${name} ${index}`} className="contents">
          <dt className={classNames('flex items-center gap-1', marked ? 'text-bad' : 'text-muted')}>
            {marked && <Icon name="warning" className="size-3" />}
            {marked && <span className="sr-only">the mistake: </span>}
            <span className="truncate">{name}</span>
          </dt>
          <dd
            title={value}
            className={classNames(
              'min-w-0 truncate',
              marked ? 'font-semibold text-bad' : 'text-ink',
            )}
          >
            {value ?? 'missing'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
