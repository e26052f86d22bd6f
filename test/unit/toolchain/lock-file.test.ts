import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface LockedPackage {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const url = new URL('../../../package-lock.json', import.meta.url)
const { packages } = JSON.parse(readFileSync(url, 'utf8')) as {
  packages: Record<string, LockedPackage>
}

/** Whether Node, starting in the package at this path, finds the named one. */
function isLocked(from: string, name: string): boolean {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (packages[path]?.version) return true
  if (from === '') return false
  return isLocked(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

describe('package-lock.json', () => {
  // npm drops binaries that the registry lacks at that moment without a word, and npm ci then fails.
  test('has the binaries of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    )
    expect(missing).toEqual([])
  })

  test('names no host to download from', () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved)).toEqual([])
  })
})
