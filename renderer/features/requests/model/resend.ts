import type {
  RequestDetail,
  Resent,
  ResendRequest,
} from '../../../../server/contract/control-requests.ts'
import { callApi } from '../../../api/client.ts'
import { useWrite } from '../../../api/query.ts'

export interface ResendForm {
  method: string
  path: string
  /** One header a line. */
  headers: string
  body: string
}

/** Fields of a request as they are shown: secrets are masked. */
export function resendForm({ method, path, request }: RequestDetail): ResendForm {
  return {
    method,
    path,
    headers: request.headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: request.body ?? '',
  }
}

/** Selects what was changed: the rest is sent as it was recorded. */
export function changesOf(opened: ResendForm, form: ResendForm): ResendRequest {
  return {
    ...(form.method !== opened.method && { method: form.method }),
    ...(form.path !== opened.path && { path: form.path }),
    ...(form.headers !== opened.headers && { headers: readHeaders(form.headers) }),
    ...(form.body !== opened.body && { body: form.body }),
  }
}

function readHeaders(text: string): [string, string][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()]
    })
}

/** Returns the first line that is no header. */
export function headerProblem(text: string): string | undefined {
  const wrong = text.split('\n').find((line) => line.trim() !== '' && !/^\s*[^\s:]+\s*:/.test(line))
  return wrong === undefined ? undefined : `"${wrong.trim()}" is not a header: write "Name: value".`
}

interface ResendInput {
  id: string
  changes?: ResendRequest
}

export function useResend() {
  return useWrite<ResendInput, Resent>({
    call: ({ id, changes = {} }) =>
      callApi('POST requests/:id/resend', { params: { id }, body: changes }),
    changes: ['requests', 'flows'],
  })
}
