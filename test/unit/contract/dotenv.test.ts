import { execFileSync } from 'node:child_process'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { dotenvLine } from '../../../server/contract/dotenv.ts'

const values = [
  '',
  'http://localhost:7420',
  'openid profile',
  'with #hash',
  '$(id)',
  '$HOME ${HOME} `id`',
  String.raw`C:\Users\alice\certificate.pem`,
  'a "quoted" word',
  "it's",
]

test.each(values)('%j is read from a line of a .env file as it was', (value) => {
  expect(parseEnv(dotenvLine('A', value))).toEqual({ A: value })
})

test.skipIf(process.platform === 'win32').each([...values, `a'b $(id) "c" \\#d`])(
  '%j is what a shell has of it, which runs nothing',
  (value) => {
    const script = `${dotenvLine('A', value)}\nprintf '%s' "$A"`
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(value)
  },
)

test('what is plain stands without quotes, which some programs take for a part of it', () => {
  expect(dotenvLine('HF_ENDPOINT', 'http://localhost:7420')).toBe(
    'HF_ENDPOINT=http://localhost:7420',
  )
})
