import type { DemoRequest } from '../../contract/control-demos.ts'
import type { DemoVariant } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { refuse } from './cast.ts'

/** Request with its defaults. */
export type WholeRequest = DemoRequest &
  Required<Pick<DemoRequest, 'kind' | 'pace' | 'answeredBy' | 'decision'>>

/** Default variant of a refused sign-in. */
const usualVariant: DemoVariant = 'redirect-uri'

/** @throws {Refusal} `invalid` for options that exclude each other */
export function wholeRequest(request: DemoRequest): WholeRequest {
  const { kind, variant, scope, answeredBy = 'sandbox' } = request
  if (variant !== undefined && kind !== 'refused') {
    refuse('variant', `Only a refused one has a variant; kind ${kind} has none.`)
  }
  if (answeredBy === 'person' && kind !== 'sign-in' && kind !== 'device') {
    refuse('answeredBy', `The demo ${kind} is played by the sandbox alone.`)
  }
  if (kind === 'webhook' || kind === 'failing-webhook') refuseOfSignIn(kind, request)
  if (scope !== undefined && (kind === 'exchange' || kind === 'refused')) {
    refuse('scope', `The demo ${kind} has its own scopes.`)
  }
  return {
    pace: 'at-once',
    decision: 'approve',
    ...request,
    answeredBy,
    ...omitUndefined({ variant: kind === 'refused' ? (variant ?? usualVariant) : undefined }),
  }
}

/** @throws {Refusal} `invalid` for an option that only a sign-in has */
function refuseOfSignIn(kind: string, request: DemoRequest): void {
  for (const option of ['app', 'scope', 'decision'] as const) {
    if (request[option] !== undefined) refuse(option, `The demo ${kind} has no ${option}.`)
  }
}
