import { fixturesFromCode } from '../config/read-fixtures.ts'
import type { FixturesFile } from '../contract/fixtures-types.ts'
import { type Clock, createClock } from '../core/clock.ts'
import type { ServerDeps } from '../core/server-deps.ts'
import { exportFixtures } from '../state/export-fixtures.ts'
import { loadFixtures } from '../state/load-fixtures.ts'
import { definitions, type State, stateFormatVersion } from '../state/state.ts'
import { openStore } from '../state/store.ts'
import { captureState, fillState, type KeptState, setClock } from './snapshots.ts'

/**
 * A fixtures file as the state it would give.
 * @throws {ConfigError} with every mistake in the file
 */
export async function importFixtures(
  deps: Pick<ServerDeps, 'settings'>,
  file: unknown,
): Promise<KeptState> {
  const { fixtures } = await fixturesFromCode(file)
  return aside(({ state, clock }) => {
    loadFixtures({ settings: deps.settings, state, clock }, fixtures)
    return captureState(state, clock.read())
  })
}

/** A kept state as the fixtures file that gives it, as far as fixtures go. */
export async function exportSnapshot(
  deps: Pick<ServerDeps, 'fixtures'>,
  kept: KeptState,
): Promise<FixturesFile> {
  return aside(({ state, clock }) => {
    fillState(state, kept)
    setClock(clock, kept.clock)
    return exportFixtures({ state, clock }, deps.fixtures())
  })
}

/** Works with a state and a clock that nobody else sees. */
async function aside<T>(work: (place: { state: State; clock: Clock }) => T): Promise<T> {
  const store = await openStore(definitions, { formatVersion: stateFormatVersion })
  const clock = createClock()
  try {
    return work({ state: store.collections, clock })
  } finally {
    clock.close()
    await store.close()
  }
}
