import { pollAgainErrors } from '../../contract/words/oauth-words.ts'
import { pathOf } from '../../core/request-target.ts'
import { isUserDenial } from './request-reason.ts'
import type { RequestRecord } from './request-log.ts'

/** Operations of the Xet storage that clients try first: newer ones, and look-ups of chunks it may have. */
const xetLookUp = /^\/api\/xet\/[^/]+\/v1\/(?:xorb-grants|chunks)\//

/** Endpoints of git and Git LFS, whose clients send credentials only after a challenge. */
const gitPath = /\/(?:info\/refs|git-(?:upload|receive)-pack|info\/lfs\/.*)$/

/**
 * Checks whether an error response is a normal step of its protocol, so that it is no failure: a device polls again (RFC 8628
 * §3.5), the user denied on purpose, git repeats its request with credentials (RFC 9110 §11.6.1), or Xet sends chunks that are
 * not there yet.
 */
export function isExpected(record: RequestRecord): boolean {
  const { status, error, url, request } = record
  if (error === undefined) return false
  // First: a device polls by far the most often, and the text of a denial is in the body.
  if (pollAgainErrors.has(error)) return true
  if (isUserDenial(record)) return true
  if (status === 404 && xetLookUp.test(pathOf(url))) return true
  return status === 401 && request.headers.authorization === undefined && gitPath.test(pathOf(url))
}

/** Checks whether a request counts as a failure. */
export function isRefused(record: RequestRecord): boolean {
  return record.error !== undefined && !isExpected(record)
}
