import { useOpenFindings } from '../api/advice.ts'

/** Number of open errors and warnings, in the navigation. */
export function FindingCount() {
  const count = useOpenFindings()
  if (count === 0) return null
  return (
    <span className="ml-auto rounded-full bg-bad-soft px-1.5 text-2xs font-semibold text-bad">
      {count}
      <span className="sr-only"> findings</span>
    </span>
  )
}
