import { execFileSync } from 'node:child_process'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { environmentText } from '../../../renderer/features/home/model/environment-text.ts'
import { cliCommand } from '../../../renderer/features/triggers/model/cli-command.ts'
import { readOverride } from '../../../server/cli/overrides.ts'
import { shellQuote, shellWord } from '../../../renderer/lib/shell-quote.ts'

const isPosix = process.platform !== 'win32'

/** The words that a shell makes of a line. */
function wordsOf(line: string): string[] {
  const output = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
  return output.split('\0').slice(0, -1)
}

const awkward = [
  "it's",
  '"quoted"',
  '$HOME `id` \\n',
  'two words',
  '',
  '*',
  '~',
  '#no comment',
  'a;b|c&d',
  'line\nbreak',
  '日本語 🏖️',
  "''",
  '-n',
]

describe('quoting for a shell', () => {
  test.skipIf(!isPosix)('each text is one word of a shell again', () => {
    expect(wordsOf(awkward.map(shellQuote).join(' '))).toEqual(awkward)
    expect(wordsOf(awkward.map(shellWord).join(' '))).toEqual(awkward)
  })

  test('what a shell takes as it is stays readable, and an empty text is still a word', () => {
    expect(shellWord('http://localhost:7860/a_b?'.slice(0, -1))).toBe('http://localhost:7860/a_b')
    expect(shellWord('repo.content')).toBe('repo.content')
    expect(shellWord('')).toBe("''")
    expect(shellQuote('plain')).toBe("'plain'")
  })
})

describe('the environment for a client', () => {
  const environment = Object.fromEntries(awkward.map((value, index) => [`NAME_${index}`, value]))

  test.skipIf(!isPosix)('as exports, a shell has every value', () => {
    const names = Object.keys(environment)
    const values = names.map((name) => `"$${name}"`).join(' ')
    const script = `${environmentText(environment, 'shell')}\nprintf '%s\\0' ${values}`
    const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    expect(output.split('\0').slice(0, -1)).toEqual(awkward)
  })

  test('as a file of variables, it is read as it was', () => {
    const usual = {
      HF_ENDPOINT: 'http://localhost:7860',
      OPENID_PROVIDER_URL: 'http://localhost:7860/',
      OAUTH_SCOPES: 'openid profile',
      EMPTY: '',
      SECRET: 'with #hash',
    }
    expect(parseEnv(environmentText(usual, 'dotenv'))).toEqual(usual)
  })

  test('as JSON, it is read as it was', () => {
    expect(JSON.parse(environmentText(environment, 'json'))).toEqual(environment)
  })
})

describe('the command for a trigger', () => {
  const commandLine = {
    command: ['npx', '--no', 'hub-sandbox'],
    options: ['--url', 'http://localhost:1'],
  }

  test('says the event and the repo, and how the sandbox is reached', () => {
    expect(cliCommand({ event: 'repo.content', repo: 'datasets/acme/corpus' }, commandLine)).toBe(
      'npx --no hub-sandbox trigger repo.content --repo datasets/acme/corpus --url http://localhost:1',
    )
  })

  test.skipIf(!isPosix)('carries values that are read again as what they are', () => {
    const overrides = Object.fromEntries(
      ['12', 'null', 'true', '"quoted"', '{"a":1}', ' 1 ', '', '12 o’clock', 12, null, [1]].map(
        (value, index) => [`comment.${index}`, value],
      ),
    )
    const request = { event: 'discussion.comment', repo: 'acme/corpus', overrides } as const
    const words = wordsOf(cliCommand(request, commandLine))
    const read = words.filter((_, index) => words[index - 1] === '--set').map(readOverride)
    expect(Object.fromEntries(read)).toEqual(overrides)
  })

  test.skipIf(!isPosix)('carries everything that the form has, one word each', () => {
    const line = cliCommand(
      {
        event: 'discussion.comment',
        kind: 'hide',
        repo: 'models/alice/a b',
        mode: 'send',
        overrides: {
          'comment.content': "it's $5",
          'comment.hidden': true,
          updatedRefs: [{ a: 1 }],
        },
        remove: ['discussion.url'],
        repeat: { times: 3 },
      },
      { command: ['/opt/hub sandbox/cli'], options: ['--data', "/home/o'hara"] },
    )
    expect(wordsOf(line)).toEqual([
      '/opt/hub sandbox/cli',
      'trigger',
      'discussion.comment',
      '--repo',
      'models/alice/a b',
      '--kind',
      'hide',
      '--set',
      "comment.content=it's $5",
      '--set',
      'comment.hidden=true',
      '--set',
      'updatedRefs=[{"a":1}]',
      '--remove',
      'discussion.url',
      '--send',
      '--repeat',
      '3',
      '--data',
      "/home/o'hara",
    ])
  })
})
