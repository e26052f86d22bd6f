import { ApiError } from '../api/client.ts'

/** Why a form was refused: the sentence, and each mistake with its place. */
export function FormError({ error }: { error: Error | null }) {
  if (!error) return null
  const issues = error instanceof ApiError ? error.issues : []
  return (
    <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-xs text-bad">
      <p>{error.message}</p>
      {issues.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {issues.map(({ path, message }) => (
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
