import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '../core/config-error.ts'
import { Refusal } from '../core/refusal.ts'
import type { ResolvedOptions } from '../app/config/options.ts'
import { sleep } from '../core/timers.ts'
import type { ServerDeps } from '../lab/server-deps.ts'
import { readMeta } from '../store/meta.ts'

type Loaded = Pick<
  ResolvedOptions,
  'fixtures' | 'fixturesHash' | 'fixturesNotices' | 'fixturesOpenOrigins' | 'fixturesPath'
>

/** Interval between two looks at the file. Editors replace it, which ends a watch by the system. */
const lookMs = 250
/** Time without a change after which a file counts as written. */
const settleMs = 100

/**
 * Loads a fixtures file again whenever its content changes. A file with mistakes changes nothing.
 * @param read reads and checks the file; throws a {@link ConfigError} with every mistake
 * @param print prints an outcome
 * @returns a function that ends it
 */
export function watchFixtures(
  file: string,
  read: () => Promise<Loaded>,
  deps: Pick<ServerDeps, 'fixtures' | 'loadFixtures' | 'state'>,
  print: (line: string) => void,
): () => void {
  let running = Promise.resolve()

  async function load(changed: Stats): Promise<void> {
    // An editor that is still writing changes the file again, which causes another call.
    await sleep(settleMs)
    const now = await stat(file).catch(() => undefined)
    if (now === undefined || now.mtimeMs !== changed.mtimeMs || now.size !== changed.size) return
    try {
      const next = await read()
      // The file may have been removed since, and another one found.
      if (next.fixturesPath !== file) return
      if (next.fixturesHash === readMeta(deps.state, 'fixtures')) return
      const { config } = deps.fixtures()
      await deps.loadFixtures(next)
      print(`Loaded ${file} again.`)
      if (!isDeepStrictEqual(next.fixtures.config, config)) {
        print('Its "config" applies from the next start.')
      }
      for (const notice of next.fixturesNotices) print(notice)
    } catch (error) {
      if (!(error instanceof ConfigError) && !(error instanceof Refusal)) throw error
      print(`${error.message}\nThe sandbox keeps its state until the file is corrected.`)
    }
  }

  const onChange = (changed: Stats) => {
    // The file is gone; one that replaces it causes another call.
    if (changed.mtimeMs === 0) return
    running = running
      .then(() => load(changed))
      .catch((error: unknown) => print(`${file} could not be loaded again: ${String(error)}`))
  }
  watchFile(file, { interval: lookMs }, onChange)
  return () => unwatchFile(file, onChange)
}
