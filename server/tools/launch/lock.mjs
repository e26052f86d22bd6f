import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { report } from './run.mjs'

const pollMs = 200
/** Longer than an installation and a build on a slow machine. */
const patienceMs = 15 * 60_000
/** Time for a holder to write its process id after creating the folder. */
const namingMs = 2_000

/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => error instanceof Error && 'code' in error && error.code === code

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return !hasCode(error, 'ESRCH')
  }
}

/**
 * Whether the holder of a lock ended without removing it.
 * @param {string} path
 */
function isAbandoned(path) {
  try {
    return !isAlive(Number(readFileSync(join(path, 'pid'), 'utf8')))
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  try {
    return Date.now() - statSync(path).mtimeMs > namingMs
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** @param {string} path */
function take(path) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
  writeFileSync(join(path, 'pid'), String(process.pid))
  return true
}

/**
 * Removes an abandoned lock. Another process may have removed it first and hold a new one, so the lock is checked again
 * after the rename and restored if it is held.
 * @param {string} path
 */
function clear(path) {
  const aside = `${path}-${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if (isAbandoned(aside)) rmSync(aside, { recursive: true })
  else renameSync(aside, path)
}

/**
 * Runs work while holding a lock that only one process can have. The lock of a dead process is taken over.
 * @template T
 * @param {string} path a folder that exists while the lock is held
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true })
  const started = performance.now()
  for (let waited = false; !take(path); waited = true) {
    if (performance.now() - started > patienceMs) {
      throw new Error(`${path} is held for too long: remove it if nothing installs or builds`)
    }
    if (isAbandoned(path)) {
      clear(path)
      continue
    }
    if (!waited) report('waiting for another process to finish installing and building')
    await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
