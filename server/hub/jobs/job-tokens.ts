import type { Deps } from '../deps.ts'
import type { Delivery, JobSpec } from '../../store/entities/webhook-entities.ts'
import type { State } from '../../store/state.ts'

type TokenDeps = Pick<Deps, 'state'> & {
  readonly ids: Pick<Deps['ids'], 'of'>
  readonly clock: Pick<Deps['clock'], 'now'>
}

/**
 * Gives a job that a delivery starts tokens of its own: each value of its environment and secrets that is a token becomes
 * a copy of this token, with the same rights until the end of the job. An event that the copy causes has the delivery as
 * its cause.
 * @returns `revoke`: deletes the copies
 */
export function withOwnTokens(
  { state, ids, clock }: TokenDeps,
  spec: JobSpec,
  delivery: Pick<Delivery, 'id'>,
): { spec: JobSpec; revoke: () => void } {
  const own = ids.of('job token', delivery.id)
  const copies = new Map<string, { id: string; token: string }>()

  function copyOf(value: string): string {
    const token = state.tokens.find('token', value)
    if (token === undefined) return value
    const known = copies.get(value)
    if (known !== undefined) return known.token
    const prefix = token.kind === 'oauth' ? 'hf_oauth_sandbox_' : 'hf_sandbox_'
    const copy = state.tokens.put({
      ...token,
      id: own.objectId(),
      token: `${prefix}${own.alphanumeric(24)}`,
      createdAt: clock.now(),
      deliveryId: delivery.id,
    })
    copies.set(value, copy)
    return copy.token
  }

  const withCopies = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, copyOf(value)]))
  return {
    spec: { ...spec, environment: withCopies(spec.environment), secrets: withCopies(spec.secrets) },
    revoke() {
      for (const { id } of copies.values()) state.tokens.delete(id)
    },
  }
}

/** Deletes the tokens of all jobs. */
export function dropOwnTokens({ tokens }: Pick<State, 'tokens'>): void {
  for (const { id, deliveryId } of tokens.values()) {
    if (deliveryId !== undefined) tokens.delete(id)
  }
}
