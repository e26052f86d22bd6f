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
  const patch = (part: Partial<Form>) => setForm((current) => ({ ...current, ...part }))
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)
  return {
    /** Fields at the start: an edit sends only those that differ. */
    opened,
    form,
    patch,
    /** First issue of the field at this path. */
    issue,
    /** Props of the input of a field; `path` is that of its issues where its name is not. */
    field: <Name extends keyof Form & string>(name: Name, path: string = name) => ({
      value: form[name],
      onChange: (value: Form[Name]) => patch({ [name]: value } as unknown as Partial<Form>),
      error: issue(path),
    }),
  }
}
