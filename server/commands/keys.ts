import { connect } from './connect.ts'
import { printAnswer, printList } from './output.ts'
import type { ControlOptions } from './read-options.ts'

export async function listKeys(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET keys')
  printList(
    options,
    items,
    ({ kid, state, jwk }) => [kid, state, [jwk['alg'], jwk['kty']].filter(Boolean).join(' ')],
    'No keys are published.',
  )
}

/** Rotates the signing key and prints the id of the new one. */
export async function rotateKeys(options: ControlOptions & { dropOld?: boolean }): Promise<void> {
  const { call } = await connect(options)
  const rotated = await call('POST keys/rotate', { body: { keepOld: options.dropOld !== true } })
  printAnswer(options, rotated, rotated.kid)
}
