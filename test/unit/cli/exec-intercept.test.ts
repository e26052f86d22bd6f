import { expect, test } from 'vitest'
import { interceptPart } from '../../../server/cli/exec/intercept-part.ts'
import type { Run } from '../../../server/cli/exec/run-part.ts'

const run = (changes: Partial<Run>) => {
  const told: string[] = []
  const connection = { url: 'http://localhost:7420' } as Run['connection']
  const options = { intercept: ['https://hub.invalid,https://hub.example'] }
  const print = (line: string) => void told.push(line)
  const made: Run = {
    command: ['app'],
    folder: '/nowhere',
    isOwn: true,
    baseUrl: 'https://hub.invalid',
    connection,
    options,
    print,
    ...changes,
  }
  return { made, told }
}

test('prints the rerouted hosts to the program and the user', async () => {
  const { made, told } = run({})
  const part = await interceptPart.begin(made)
  expect(part.variables).toMatchObject({
    HUB_SANDBOX_INTERCEPT: 'https://hub.invalid,https://hub.example',
  })
  expect(part.directHosts).toEqual(['hub.invalid', 'hub.example'])
  expect(part.imports).toEqual([expect.stringMatching(/dist[\\/]server[\\/]intercept\.cjs$/)])
  expect(told).toEqual([
    expect.stringContaining('https://hub.invalid, https://hub.example'),
    'Other programs would still reach the real Hub: add --proxy to redirect them too.',
  ])
})

test('is active on request only', () => {
  expect(interceptPart.isWanted({})).toBe(false)
  expect(interceptPart.isWanted({ intercept: ['https://hub.invalid'] })).toBe(true)
})

test.each([
  [
    ['hub.invalid'],
    /^--intercept must be an origin such as https:\/\/huggingface\.co, not hub\.invalid\.$/,
  ],
  [['https://hub.invalid/x'], /^--intercept must be an origin without path/],
  [['http://localhost:1'], /^--intercept cannot contain http:\/\/localhost:1/],
  [
    ['https://hub.invalid', 'https://hub.invalid/'],
    /^--intercept has https:\/\/hub\.invalid twice/,
  ],
  [[''], /^--intercept must be an origin such as/],
])('refuses %j with one sentence', (intercept, message) => {
  expect(() => interceptPart.startOptions?.({ intercept })).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(message),
    }),
  )
})

test('refuses a running sandbox with another issuer', async () => {
  const { made } = run({ isOwn: false, baseUrl: 'http://localhost:7420' })
  await expect(interceptPart.begin(made)).rejects.toMatchObject({
    exitCode: 2,
    message:
      'The sandbox at http://localhost:7420 has the issuer http://localhost:7420, not https://hub.invalid: start it with --intercept https://hub.invalid, or omit --url.',
  })
})

test('with the proxy there are no warnings', async () => {
  const { made, told } = run({ options: { intercept: ['https://hub.invalid'], proxy: true } })
  await interceptPart.begin(made)
  expect(told).toHaveLength(1)
})
