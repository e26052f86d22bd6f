import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageBoxOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { agreeToOpen } from '../../../electron/preview.ts'
import { describeContent, describeDifferences } from '../../../electron/preview-text.ts'
import type { FixturesFile } from '../../../server/contract/fixtures-types.ts'
import { compareFixtures } from '../../../server/fixtures/compare.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** A file, and a user who presses these buttons after looking at what is shown. */
function world(content: unknown, answers: (() => number)[]) {
  const file = join(temporaryDirectory(), 'team.hubsandbox')
  const write = (value: unknown) =>
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  write(content)
  const shown: MessageBoxOptions[] = []
  const dialog = {
    showMessageBox: async (options: MessageBoxOptions) => {
      shown.push(options)
      return { response: answers.shift()?.() ?? 1 }
    },
  }
  const agree = () => agreeToOpen({ dialog } as unknown as ElectronApi, file, undefined)
  return { agree, shown, write }
}

describe('the preview of a fixtures file', () => {
  const content = { users: [{ username: 'mallory' }] }

  test('is shown, and the file is opened if the user chooses that', async () => {
    const { agree, shown } = world(content, [() => 0, () => 1])
    expect(await agree()).toBe(true)
    expect(await agree()).toBe(false)
    expect(shown[0]).toMatchObject({
      message: 'Open team.hubsandbox?',
      detail: expect.stringMatching(/1 user: mallory\n\nYour own sandbox is not running/),
    })
  })

  test('names the pages that may call the Hub, and warns of consent without a page', async () => {
    const apps = [{ name: 'App', redirectUris: ['https://evil.example/cb', 'http://localhost/cb'] }]
    const { agree, shown } = world({ ...content, apps, config: { autoApprove: true } }, [() => 1])
    await agree()
    expect(shown[0]?.detail).toContain(
      "It lets pages of https://evil.example call the Hub's API.\nIt gives consent without a page (config.autoApprove).",
    )
  })

  test('warns that the file is a recorded run, for viewing only', async () => {
    const log = {
      format: 2,
      madeAt: '2026-11-22T18:00:00.000Z',
      madeBy: '0.1.0',
      command: 'npm test\n\u001B[31m',
      lengthMs: 5,
    }
    const { agree, shown } = world({ ...content, log }, [() => 1])
    await agree()
    expect(shown[0]?.detail).toMatch(
      /Recorded run of npm test\P{Cc}*, 2026-11-22: 0 requests, 0 deliveries\.\nIt is for viewing only: nothing is delivered, retried or run/u,
    )
  })

  test('is shown again if the file has changed meanwhile', async () => {
    const { agree, shown, write } = world(content, [
      () => {
        write({ users: [{ username: 'eve' }] })
        return 0
      },
      () => 0,
    ])
    expect(await agree()).toBe(true)
    expect(shown.map(({ detail }) => /user: (\w+)/.exec(detail ?? '')?.[1])).toEqual([
      'mallory',
      'eve',
    ])
  })

  test.each([
    ['{"users":', /is not valid JSON/],
    [{ users: [{}] }, /users\[0\]\.username/],
    [{ config: { host: '0.0.0.0' } }, /config\.host/],
    ['['.repeat(100_000), /levels deep/],
    ['', /is not valid JSON/],
  ])('is replaced by the reason of a refusal: %.40j', async (wrong, why) => {
    const { agree, shown } = world(wrong, [() => 0])
    await expect(agree()).rejects.toThrow(why)
    expect(shown).toEqual([])
  })
})

describe('the contents of a file as text', () => {
  const linesOf = (file: FixturesFile) => describeContent(compareFixtures(file, {}))

  test('have a line for each kind, with the first names', () => {
    const users = Array.from({ length: 8 }, (_, index) => ({ username: `user-${index}` }))
    expect(linesOf({ users, apps: [{ name: 'Explorer' }] })).toEqual([
      '8 users: user-0, user-1, user-2, user-3, user-4 and 3 others',
      '1 app: Explorer',
    ])
    expect(linesOf({})).toEqual(['The file is empty.'])
  })

  test('list hosts, other machines apart from this one', () => {
    const file: FixturesFile = {
      webhooks: [
        { owner: 'a', name: 'One', url: 'https://evil.example/hook', watched: [] },
        { owner: 'a', name: 'Two', url: 'http://localhost:9000/', watched: [] },
      ],
      apps: [{ name: 'App', redirectUris: ['https://app.example/callback'] }],
    }
    expect(linesOf(file).slice(2)).toEqual([
      'Webhooks to other machines (blocked): evil.example',
      'Webhooks to this machine: localhost:9000',
      'Sign-ins redirect to other machines: app.example',
    ])
  })

  test('escape names of any form', () => {
    const name = `App\n\nYour sandbox has the same.\u202e${'x'.repeat(500)}`
    const [line = ''] = linesOf({ apps: [{ name }] })
    expect(line).toMatch(/^1 app: App Your sandbox has the same\. x+…$/)
    expect(line.length).toBeLessThan(60)
  })
})

describe('the differences of a file as text', () => {
  const here: FixturesFile = { users: [{ username: 'alice' }, { username: 'bob' }] }

  test('list what is added, removed and changed', () => {
    const there: FixturesFile = {
      users: [{ username: 'alice', fullname: 'A', email: 'a@example.com' }, { username: 'eve' }],
    }
    expect(describeDifferences(compareFixtures(there, here))).toEqual([
      'Compared with your sandbox:',
      'users: 1 added, eve; 1 removed, bob; 1 changed, alice (email, fullname)',
    ])
  })

  test('are empty if both have the same', () => {
    expect(describeDifferences(compareFixtures(here, here))).toEqual([
      'Your sandbox has the same fixtures.',
    ])
  })
})
