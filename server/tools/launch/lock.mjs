import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { report } from './run.mjs'

const pollMs = 200
/** An installation and a build on a slow machine take less. */
const patienceMs = 15 * 60_000
/** How long a holder may take to write its process id after it made the folder. */
const namingMs = 2_000

/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => error instanceof Error && 'code' in error && error.code === code

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return !hasCode(error, 'ESRCH')
  }
}

/**
 * Whether whoever made the lock ended without removing it.
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
 * Removes an abandoned lock. Another waiter may have done so first and hold a new one by now, which
 * is why the lock is looked at once more after the rename and put back when somebody holds it.
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
 * Runs the work while holding a lock that only one process has at a time. A lock left by a process
 * that no longer runs is taken over.
 * @template T
 * @param {string} path a folder that exists exactly while the lock is held
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
