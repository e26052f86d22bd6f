import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../core/settings.ts'
import { cookieOfPort, readCookies, severalCookies } from '../../web/plugins/cookies.ts'
import { isFromProgram } from '../../web/plugins/own-pages.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'

/** Name of the session cookie for programs; for browsers the port is appended. */
export const sessionCookie = 'hub_sandbox_session'

/** Further names for programs: `token` is the hub's own, which the sandbox never sets, because apps use it. */
const namesForPrograms = [sessionCookie, 'token']

/**
 * Returns the value of the session cookie. From a browser, only the name with the port counts, because another app on this
 * host may set any other.
 * @throws {HttpRefusal} 400 when several cookies have the name
 */
export function readSessionCookie(
  settings: Pick<Settings, 'port'>,
  headers: IncomingHttpHeaders,
): string | undefined {
  const further = isFromProgram(headers) ? namesForPrograms : []
  for (const name of [cookieOfPort(sessionCookie, settings), ...further]) {
    const [value, ...others] = readCookies(headers, name)
    if (others.length > 0) throw new HttpRefusal(400, 'invalid', severalCookies(name))
    if (value !== undefined) return value
  }
  return undefined
}
