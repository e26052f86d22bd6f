import { fixturesFromCode } from '../config/read-fixtures.ts'
import type { FixturesFile } from '../contract/fixtures-types.ts'
import type { ServerDeps } from '../core/server-deps.ts'
import { exportFixtures } from '../state/export-fixtures.ts'
import { aside, captureState, fillState, type KeptState, setClock } from '../state/kept-state.ts'
import { loadFixtures } from '../state/load-fixtures.ts'

/**
 * A fixtures file as the state it would give.
 * @returns with it, what its user should know
 * @throws {ConfigError} with every mistake in the file
 */
export async function importFixtures(
  { settings, clock: present }: Pick<ServerDeps, 'settings' | 'clock'>,
  file: unknown,
): Promise<{ kept: KeptState; notices: string[] }> {
  const { fixtures } = await fixturesFromCode(file)
  const kept = aside(
    ({ state, clock }) => {
      loadFixtures({ settings, state, clock }, fixtures)
      return captureState(state, clock.read())
    },
    () => present.realNow(),
  )
  const notices =
    fixtures.config.signingKey === undefined
      ? ['The file has no config.signingKey: restoring it keeps the key that signs then.']
      : []
  return { kept, notices }
}

/** A kept state as the fixtures file that gives it, as far as fixtures go. */
export function exportSnapshot(
  { fixtures, clock: present }: Pick<ServerDeps, 'fixtures' | 'clock'>,
  kept: KeptState,
): FixturesFile {
  return aside(
    ({ state, clock }) => {
      fillState(state, kept)
      setClock(clock, kept.clock)
      return exportFixtures({ state, clock }, fixtures())
    },
    () => present.realNow(),
  )
}
