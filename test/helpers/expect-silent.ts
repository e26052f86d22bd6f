import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Advice } from '../../server/contract/control-types.ts'
import { describeFindings, selectFindings } from '../../server/client/check-matchers.ts'
import { provokedFindings } from './provoked-findings.ts'

/** @throws {Error} with the findings of a warning or worse that the running test file does not provoke on purpose */
export function expectSilent(items: Advice['items']): void {
  const { testPath = '' } = expect.getState()
  const name = testPath.split('/test/').at(-1) ?? ''
  const ignore = Object.keys(provokedFindings[name] ?? {})
  const findings = selectFindings({ items }, { ignore })
  if (findings.length > 0) throw new Error(`the client has findings:${describeFindings(findings)}`)
}

/** A run of `exec` or `start`, whose sandbox ends with it. */
export interface WatchedRun {
  /** Flags that the run needs in addition. */
  readonly flags: readonly string[]
  /** Checks the findings of the run, if its sandbox started. */
  readonly expectSilent: () => void
}

/**
 * Watches the findings of a run of `exec` or `start`, whose sandbox is in another process.
 * @param given flags of the run: the findings of a sandbox that runs already are read where it was started
 */
export function watchRun(folder: string, given: readonly string[]): WatchedRun {
  if (given.includes('--url')) return { flags: [], expectSilent: () => undefined }
  const file = join(mkdtempSync(join(folder, 'advice-')), 'advice.json')
  return {
    flags: ['--advice-report', file],
    expectSilent() {
      if (!existsSync(file)) return
      const text = readFileSync(file, 'utf8')
      // It is made before the run, to find out whether it can be written.
      if (text === '') return
      expectSilent((JSON.parse(text) as { findings: Advice['items'] }).findings)
    },
  }
}
