import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bareEnvironment, hasProgram, run } from '../helpers/programs.ts'
import { defaultApps, defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { createUserAgent } from '../helpers/user-agent.ts'

const script = (name: string) => fileURLToPath(new URL(`shell/${name}.sh`, import.meta.url))
const lacksCurl = !hasProgram('curl') || !hasProgram('sh', '-c', 'exit 0')
const reason = 'curl or a POSIX shell is not installed'

describe('curl', () => {
  test('signs in by a device code', async ({ skip }) => {
    skip(lacksCurl, reason)
    const sandbox = await startTestSandbox({
      fixtures: await defaultFixtures({ config: { device: { interval: '1s' } } }),
    })
    const shell = spawn('sh', [script('device-sign-in')], {
      env: bareEnvironment({
        BASE_URL: sandbox.url,
        CLIENT_ID: defaultApps(sandbox).commandLine.clientId,
        INTERVAL: '1',
      }),
    })
    const printed = text(shell.stdout)
    const [prompt] = (await once(shell.stderr, 'data')) as [Buffer]
    const [, address, userCode] = /^Open (\S+) and enter (\S+)/.exec(prompt.toString())!
    await createUserAgent('dave').answerDevice(address!, userCode!)
    expect(JSON.parse(await printed)).toMatchObject({ name: 'dave', auth: { type: 'oauth' } })
  })

  test('exchanges an e-mail address for a token', async ({ skip }) => {
    skip(lacksCurl, reason)
    const sandbox = await startTestSandbox()
    const { clientId, clientSecret = '' } = defaultApps(sandbox).exchange
    const exchange = async (email: string): Promise<unknown> =>
      JSON.parse(
        await run('sh', [script('token-exchange')], {
          BASE_URL: sandbox.url,
          CLIENT_ID: clientId,
          CLIENT_SECRET: clientSecret,
          EMAIL: email,
        }),
      )
    expect(await exchange('carol@example.com')).toEqual({
      access_token: expect.stringMatching(/^hf_oauth_sandbox_[\w-]+\.[\w-]+\.[\w-]{86}$/),
      token_type: 'bearer',
      expires_in: 28_800,
      scope: 'openid profile',
      id_token: expect.stringMatching(/^eyJ/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    expect(await exchange('dave@example.com')).toEqual({
      error: 'invalid_grant',
      error_description: 'The user is not found in the bound organization.',
    })
  })
})
