import { ApiError } from '../api/client.ts'

interface FormErrorProps {
  error: Error | null
  /** Fields that show their first issue themselves; it is not repeated here. */
  beside?: readonly string[]
}

/** Error of a form: its message, and each issue without a field. */
export function FormError({ error, beside = [] }: FormErrorProps) {
  if (!error) return null
  const issues = untold(error, beside)
  if (error instanceof ApiError && error.issues.length > 0 && issues.length === 0) return null
  return (
    <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-xs text-bad">
      <p>{error.message}</p>
      {issues.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {issues
            .filter(({ message }) => !error.message.includes(message))
            .map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path && <span className="font-mono">{path}: </span>}
                {message}
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}

function untold(error: Error, beside: readonly string[]): ApiError['issues'] {
  if (!(error instanceof ApiError)) return []
  const shown = new Set(beside.map((path) => error.issueOf(path)))
  return error.issues.filter((issue) => !shown.has(issue))
}
