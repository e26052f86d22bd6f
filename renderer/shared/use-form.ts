import { useState } from 'react'
import { ApiError } from '../api/client.ts'

/**
 * State of a create or edit form.
 * @param initial fields at the start; later values are ignored
 * @param error error of the last submission
 */
export function useForm<Form extends object>(initial: () => Form, error: Error | null) {
  const [opened] = useState(initial)
  const [form, setForm] = useState(opened)
  return {
    /** Fields at the start: an edit sends only those that differ. */
    opened,
    form,
    patch: (part: Partial<Form>) => setForm((current) => ({ ...current, ...part })),
    /** First issue of the field at this path. */
    issue: (path: string) => (error instanceof ApiError ? error.issue(path) : undefined),
  }
}
