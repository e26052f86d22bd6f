import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandError } from '../../../server/cli/command-error.ts'
import type { Connection } from '../../../server/cli/connect.ts'
import { junitPart } from '../../../server/cli/exec/junit-part.ts'
import type { Run } from '../../../server/cli/exec/run-part.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-junit-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Flow {
  id: string
  outcome: string
  explanation: string
}

/** A sandbox that has these sign-ins; some may be dropped before they are read. */
function runAgainst(flows: Flow[], options: { junit: string; isOwn?: boolean }): Run {
  const call = async (key: string, input?: { params?: { id: string } }) => {
    if (key === 'GET flows') return { items: flows.toReversed() }
    if (key !== 'GET flows/:id') return { items: [] }
    const flow = flows.find(({ id }) => id === input?.params?.id)
    return { kind: 'refresh', startedAt: '2026-01-01T00:00:00.000Z', steps: [], ...flow }
  }
  return {
    command: ['/usr/bin/npm.cmd', 'test', '--token=geheim'],
    options: { junit: options.junit },
    connection: { call } as unknown as Connection,
    baseUrl: '',
    isOwn: options.isOwn ?? true,
    folder,
    print() {},
  }
}

const refused = { outcome: 'refused', explanation: 'invalid_grant: It was used before.' }

test('writes the cases of the run, and creates the folder', async () => {
  const junit = join(folder, 'reports', 'deep', 'junit.xml')
  await junitPart.startOptions?.({ junit })
  const part = await junitPart.begin(runAgainst([{ id: 'a', ...refused }], { junit }))
  expect(await part.programEnded?.({ exitCode: 0 })).toBeUndefined()
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toContain('<testsuites name="npm test"')
  expect(xml).not.toContain('geheim')
  expect(xml).toContain('<failure message="invalid_grant: It was used before."')
  expect(readdirSync(join(folder, 'reports', 'deep'))).toEqual(['junit.xml'])
})

test('omits earlier cases of a running sandbox', async () => {
  const junit = join(folder, 'junit.xml')
  const flows = [{ id: 'before', ...refused }]
  const part = await junitPart.begin(runAgainst(flows, { junit, isOwn: false }))
  flows.push({ id: 'since', outcome: 'completed', explanation: '' })
  await part.programEnded?.({ exitCode: 0 })
  expect(readFileSync(junit, 'utf8')).toContain(
    '<testsuites name="npm test" tests="1" failures="0"',
  )
})

test('refuses a file that cannot be written before the program starts', () => {
  mkdirSync(join(folder, 'taken'))
  writeFileSync(join(folder, 'file'), '')
  const refusalOf = (junit: string) => {
    try {
      void junitPart.startOptions?.({ junit })
    } catch (error) {
      return error
    }
    return undefined
  }
  for (const junit of ['', join(folder, 'taken'), join(folder, 'file', 'junit.xml')]) {
    const refusal = refusalOf(junit)
    expect(refusal).toBeInstanceOf(CommandError)
    expect(refusal).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^--junit/) })
  }
})
