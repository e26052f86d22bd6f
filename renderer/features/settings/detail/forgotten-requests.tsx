import { apiAddress } from '../../../api/client.ts'
import { useOverview } from '../../../api/overview.ts'
import { plural } from '../../../lib/format.ts'

/** Note that a reset or restore also clears the request log. */
export function ForgottenRequests() {
  const count = useOverview().data?.counts.requests ?? 0
  if (count === 0) return null
  return (
    <p className="mt-2">
      The request log is cleared too: {plural(count, 'request')}.{' '}
      <a
        href={apiAddress('GET requests.har')}
        download="hub-sandbox.har"
        className="text-accent underline underline-offset-2"
      >
        Export it first
      </a>
    </p>
  )
}
