import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programs } from '../../../server/lab/snippets/frameworks.ts'
import { frameworks } from '../../../server/contract/words/sandbox-words.ts'
import { root } from '../../helpers/packed.ts'

/** Samples whose users sign in and that have no audit of their own, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'recipes/mcp': 'compat/audit-libraries.test.ts audits the MCP SDK, which does the sign-in.',
}

/** Words of a program that begins a sign-in; configurations of CI name the app of their user. */
const signIn =
  /code_challenge|authorizationUrl|authorize_redirect|AuthCodeURL|oauthLoginUrl|LoginButton|attach_huggingface_oauth|grant-type:device_code|device_authorization|new Strategy|NextAuth|ExpressAuth|^ *login\(\)|genericOAuth|client\/auth\.js|\bauthlib\b/im

const foldersOf = (kind: string) =>
  readdirSync(join(root, 'test', kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${kind}/${name}`)
const samples = [...foldersOf('kits'), ...foldersOf('recipes')]
const read = (path: string) => readFileSync(join(root, 'test', path), 'utf8')

/** Source files of a sample; its own tests and documentation do not count. */
function sourcesOf(sample: string): string[] {
  const files = readdirSync(join(root, 'test', sample), { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => /\.(?:[cm]?js|tsx?|jsx|py|go|sh|html)$/.test(path))
    .filter((path) => !/node_modules|[._](?:test|spec|cy)\.|(?:^|[/\\])test_/.test(path))
    .map((path) => read(`${sample}/${path}`))
}

const samplesWithAudits = read('compat/audit-samples.test.ts')
const kitsTest = read('packed/kits.test.ts')

function isAudited(sample: string): boolean {
  const [kind = '', name = ''] = sample.split('/')
  if (samplesWithAudits.includes(`name: '${sample}'`)) return true
  if (kind === 'recipes') {
    const file = `${sample}.test.ts`
    return (
      existsSync(join(root, 'test', file)) && /passesAudit\(|expectAuditPassed\(/.test(read(file))
    )
  }
  if (kitsTest.includes('passes its audit') && name === 'pytest') return true
  // Several kits have the same app, for another test runner.
  const app = join(root, 'test', sample, 'app.js')
  return existsSync(app) && readFileSync(app, 'utf8') === read('kits/node-test/app.js')
}

describe('each sample that signs users in', () => {
  test.each(samples)('is audited: %s', (sample) => {
    const signsIn = sourcesOf(sample).some((source) => signIn.test(source))
    const isExcepted = sample in exceptions
    expect(isAudited(sample) || isExcepted).toBe(signsIn)
    expect(isAudited(sample) && isExcepted).toBe(false)
  })

  test.each(frameworks)('is the program of env --for %s', (framework) => {
    expect(isAudited(`recipes/${programs[framework].folder}`)).toBe(true)
  })

  test('has an audit, so that the words above find those without', () => {
    expect(samples.filter(isAudited).length).toBeGreaterThan(20)
  })
})
