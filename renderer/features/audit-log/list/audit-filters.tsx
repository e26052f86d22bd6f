import { Segments } from '../../../ui/segments.tsx'
import { Select } from '../../../ui/select.tsx'
import { auditOutcomes, type AuditFilter } from '../model/use-audit-filter.ts'
import { words } from '../words.ts'

const labels = { any: 'Any outcome', granted: 'Granted', refused: 'Refused' } as const

export function AuditFilters({ filter }: { filter: AuditFilter }) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <Segments
        label={words.outcome}
        value={filter.outcome}
        onChange={filter.setOutcome}
        options={auditOutcomes.map((value) => ({ value, label: labels[value] }))}
      />
      <Choice
        label={words.event}
        all="Any event"
        value={filter.type}
        values={filter.types}
        onChange={filter.setType}
      />
      <Choice
        label={words.actor}
        all="Any actor"
        value={filter.user}
        values={filter.users}
        onChange={filter.setUser}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  all: string
  value: string
  values: readonly string[]
  onChange: (value: string) => void
}

function Choice({ label, all, value, values, onChange }: ChoiceProps) {
  // A value from the URL is offered even if no row has it.
  const known = value === '' || values.includes(value) ? values : [value, ...values]
  return (
    <Select
      label={label}
      className="max-w-56"
      value={value}
      onChange={onChange}
      options={[{ value: '', label: all }, ...known.map((each) => ({ value: each, label: each }))]}
    />
  )
}
