import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { headersForHub, type Repeated } from '../../../shared/repeat-request.ts'

/** Request as a client sends it to this sandbox. Masked secrets stay masked. */
export function repeated({ method, path, request }: RequestDetail): Repeated {
  // A target may be a whole URL (RFC 9112 §3.2.2).
  const url = path.startsWith('/') ? `${window.location.origin}${path}` : path
  return { method, url, headers: headersForHub(request.headers), body: request.body }
}
