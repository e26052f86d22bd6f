import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Thousands of files take long to delete on a machine that is busy. */
const mostDeletingMs = 120_000

/** A new folder of the running test, deleted when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hub-sandbox-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }), mostDeletingMs)
  return directory
}
