import { bodyText } from '../log/body-text.ts'
import type { RequestLog } from '../log/request-log.ts'

/** Maps the user codes of devices in the log to their sign-ins (RFC 8628 §3.2). */
export function flowIdsOfDevices(
  requests: Pick<RequestLog, 'values' | 'flows'>,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const { id, url, response } of requests.values()) {
    if (!url.startsWith('/oauth/device') || url.startsWith('/oauth/device/')) continue
    const userCode = /"user_code":"([^"]+)"/.exec(bodyText(response.body) ?? '')?.[1]
    const flowId = userCode === undefined ? undefined : requests.flows.ofRequest(id)?.id
    if (userCode !== undefined && flowId !== undefined) ids.set(userCode, flowId)
  }
  return ids
}
