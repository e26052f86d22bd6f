import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import vm from 'node:vm'
import type { CachePlace, Disabled } from './cache-folder.ts'
import { growHeapSlowly, withUsualFlags } from './heap-growth.ts'
import { createKeptCode, type KeptCode, type Source, sweepKeptCode } from './kept-code.ts'

/** Loaded program. */
export interface LoadedProgram<Exports> {
  readonly exports: Exports
  readonly codeCache: CodeCache
}

/** Status of the cache of a program. */
export interface CodeCache {
  /** Undefined if nothing is cached. */
  readonly folder: string | undefined
  readonly disabled: Disabled | undefined
  /** Number of scripts loaded from the cache and compiled so far. */
  readonly count: () => { used: number; compiled: number }
  /**
   * Saves the compiled code of new scripts. Call it after the program's usual work, since the code contains the functions
   * that have run, and again after loading more scripts. It never fails: an unwritable cache is ignored.
   */
  keep(): Promise<void>
  /** Makes the program use less memory from now on. Part of the cache, because cached code depends on V8's flags. */
  growHeapSlowly(): void
}

interface Loaded {
  name: string
  script: vm.Script
  source: Source
  /** Loaded from the cache. */
  isCached: boolean
  /** Saved in the cache. */
  isKept: boolean
}

const before = '(function (exports, require, module, __filename, __dirname) { '
const after = '\n})'

/**
 * Loads a program of CommonJS files and what they require of each other, as `require` does, with what V8 compiled of
 * them in an earlier run. Everything else they require comes from Node.
 * @param entry whose content identifies the whole program: chunk names contain hashes
 */
export function loadProgram<Exports>(
  entry: string,
  place: CachePlace | Disabled,
): LoadedProgram<Exports> {
  const require = createRequire(entry)
  if (typeof place === 'string') {
    return { exports: require(entry) as Exports, codeCache: noCache(place) }
  }
  const kept = createKeptCode(place, keyOf(entry))
  const scripts: Loaded[] = []
  const modules = new Map<string, { exports: unknown }>()

  function load(path: string): unknown {
    const earlier = modules.get(path)
    if (earlier !== undefined) return earlier.exports
    const loaded = compile(path, kept)
    scripts.push(loaded)
    const module = { exports: {}, id: path, filename: path, path: dirname(path) }
    modules.set(path, module)
    const requireFrom = (id: string): unknown =>
      id.startsWith('.') ? load(join(module.path, id)) : require(id)
    try {
      const run = loaded.script.runInThisContext() as (...parts: unknown[]) => void
      run.call(module.exports, module.exports, requireFrom, module, path, module.path)
    } catch (error) {
      // Like `require`: a failed module is not cached.
      modules.delete(path)
      throw error
    }
    return module.exports
  }

  return {
    exports: load(entry) as Exports,
    codeCache: {
      folder: kept.folder,
      disabled: undefined,
      count() {
        const used = scripts.filter(({ isCached }) => isCached).length
        return { used, compiled: scripts.length - used }
      },
      keep: () => keepScripts(scripts, kept),
      growHeapSlowly,
    },
  }
}

async function keepScripts(scripts: readonly Loaded[], kept: KeptCode): Promise<void> {
  try {
    let isWritten = false
    for (const loaded of scripts) {
      if (loaded.isKept) continue
      // One at a time, so that requests do not wait for all of them.
      await turn()
      const { name, source, script } = loaded
      const code = withUsualFlags(() => script.createCachedData())
      isWritten = await kept.write(name, source, code)
      if (!isWritten) return
      loaded.isKept = true
    }
    if (isWritten) await sweepKeptCode(kept.folder)
  } catch {
    // The next start is slower and tries again.
  }
}

function compile(path: string, kept: KeptCode): Loaded {
  const { text, source } = readSource(path)
  const name = basename(path)
  const cachedData = kept.read(name, source)
  const options = {
    filename: path,
    // Keeps the column numbers of the file.
    columnOffset: -before.length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  }
  const script = withUsualFlags(() => new vm.Script(before + text + after, options))
  const isCached = script.cachedDataRejected === false
  return { name, script, source, isCached, isKept: isCached }
}

function readSource(path: string): { text: string; source: Source } {
  const file = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(file)
    return { text: readFileSync(file, 'utf8'), source: { size, mtimeMs } }
  } finally {
    closeSync(file)
  }
}

function keyOf(entry: string): string {
  const program = createHash('sha256').update(entry).update(readFileSync(entry)).digest('hex')
  const engine = `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`
  return `${program.slice(0, 16)}-${engine}`
}

function noCache(disabled: Disabled): CodeCache {
  return {
    folder: undefined,
    disabled,
    count: () => ({ used: 0, compiled: 0 }),
    keep: async () => {},
    growHeapSlowly,
  }
}
