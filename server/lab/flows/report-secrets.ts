import { createMasking } from '../../fixtures/log/masking.ts'
import { maskRequest } from '../../fixtures/log/mask-requests.ts'
import { toLogged } from '../../fixtures/log/logged-requests.ts'
import { wordTest } from '../../fixtures/log/export-log.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Collects the secrets of requests, apps, webhooks and devices.
 * @returns a function that replaces them wherever they occur, such as in the response of a receiver that repeats them
 */
export function learnSecrets(
  { state, settings }: Pick<ServerDeps, 'state' | 'settings'>,
  records: Iterable<RequestRecord>,
): (text: string) => string {
  const masking = createMasking(() => false, wordTest(state, settings.baseUrl))
  for (const record of records) {
    maskRequest(masking, toLogged(record, 0))
  }
  for (const { clientSecret } of state.apps.values()) {
    if (clientSecret !== undefined) masking.hide(clientSecret)
  }
  for (const { secret } of state.webhooks.values()) if (secret !== undefined) masking.hide(secret)
  for (const { userCode } of state.deviceAuthorizations.values()) masking.hide(userCode)
  return (text) => masking.sweep(text)
}
