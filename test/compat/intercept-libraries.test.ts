import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOptions } from '../../server/cli/exec/node-options.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installCached } from '../helpers/cached-install.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { guard, interceptMissing } from '../helpers/intercepted-program.ts'
import { npm, outputOf, root } from '../helpers/packed.ts'
import { bareEnvironment } from '../helpers/programs.ts'
import { installPythonPackages } from '../helpers/python-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// Libraries that have the address of the real hub built in. They are run behind a guard that refuses, and writes down,
// every connection and look-up beyond this machine.

const packages = ['better-auth@1.7.25', '@auth/core@0.41.3', '@huggingface/inference@4.13.30']
const pythonPackages = ['huggingface_hub==2.4.0']
const cli = fileURLToPath(new URL('../../dist/server/cli.cjs', import.meta.url))

let obstacle: string | undefined
let modules: string
beforeAll(async () => {
  const installed = await installCached('intercept-npm', packages, async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    outputOf(npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], target))
  })
  ;({ obstacle } = installed)
  modules = join(installed.folder, 'node_modules')
}, 480_000)
beforeEach(({ skip }) => skip(interceptMissing !== undefined, interceptMissing))

/** Runs a program as a user of `exec` would; what it prints as its last line is JSON. */
function exec(
  flags: readonly string[],
  program: string,
  command: readonly string[] = [process.execPath, 'program.mjs'],
) {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'node_modules', '@huggingface'), { recursive: true })
  const linked = (from: string, name: string) => {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(from, name)) && !existsSync(path)) {
      mkdirSync(join(path, '..'), { recursive: true })
      symlinkSync(join(from, name), path, 'junction')
    }
  }
  for (const name of ['better-auth', '@auth/core', '@huggingface/inference']) linked(modules, name)
  linked(join(root, 'node_modules'), '@huggingface/hub')
  writeFileSync(join(folder, 'program.mjs'), program)
  const log = join(folder, 'refused')
  const watched = watchRun(folder, flags)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      cli,
      'exec',
      '--intercept',
      'https://huggingface.co',
      ...flags,
      ...watched.flags,
      '--',
      ...command,
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: bareEnvironment({
        HOME: folder,
        HF_HOME: folder,
        XDG_DATA_HOME: folder,
        NODE_OPTIONS: nodeOptions(process.env['NODE_OPTIONS'], [guard]),
        REFUSED_NETWORK_LOG: log,
        HF_HUB_DISABLE_TELEMETRY: '1',
      }),
    },
  )
  watched.expectSilent()
  const refused = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const last = stdout.trim().split('\n').at(-1) ?? ''
  return { status, told: last === '' ? stderr : (JSON.parse(last) as unknown), stderr, refused }
}

/** The user's part of a sign-in, which a browser would play: at the address that the app sends it to. */
const asUser = `
  const env = process.env
  const cookies = new Map()
  const remember = (answer) => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
      cookies.set(name, value)
    }
    return answer
  }
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  const approve = async (address) => {
    const url = new URL(address)
    const answer = await fetch(env.HUB_SANDBOX_URL + '/_sandbox/api/authorize', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ' + env.HUB_SANDBOX_CONTROL_TOKEN },
      body: JSON.stringify({ ...Object.fromEntries(url.searchParams), user: 'alice' }),
    })
    const body = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(body))
    return { sentTo: url.origin + url.pathname, redirectTo: body.redirectTo }
  }`

describe('without a setting in the app', () => {
  test('better-auth signs in by its own provider of the hub', ({ skip }) => {
    skip(obstacle !== undefined, obstacle)
    const ended = exec(
      [],
      `import { betterAuth } from 'better-auth'
      ${asUser}
      const base = 'http://localhost:3000'
      const auth = betterAuth({
        baseURL: base,
        secret: 'only for this test, and long enough for it',
        telemetry: { enabled: false },
        socialProviders: {
          huggingface: { clientId: env.OAUTH_CLIENT_ID, clientSecret: env.OAUTH_CLIENT_SECRET },
        },
      })
      const begun = remember(await auth.handler(new Request(base + '/api/auth/sign-in/social', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: base },
        body: JSON.stringify({ provider: 'huggingface', callbackURL: '/done', errorCallbackURL: '/failed' }),
      })))
      const { sentTo, redirectTo } = await approve((await begun.json()).url)
      const back = remember(await auth.handler(new Request(redirectTo, { headers: { cookie: cookie() } })))
      const session = await auth.api.getSession({ headers: new Headers({ cookie: cookie() }) })
      console.log(JSON.stringify({ sentTo, back: back.headers.get('location'), name: session?.user.name, email: session?.user.email }))
      process.exit(0)`,
    )
    expect(ended).toMatchObject({
      status: 0,
      refused: [],
      told: {
        sentTo: 'https://huggingface.co/oauth/authorize',
        back: expect.stringMatching(/\/done$/),
        email: expect.stringContaining('alice'),
      },
    })
  })

  test('Auth.js signs in with its default issuer', ({ skip }) => {
    skip(obstacle !== undefined, obstacle)
    const ended = exec(
      [],
      `import { Auth } from '@auth/core'
      import HuggingFace from '@auth/core/providers/huggingface'
      ${asUser}
      const base = 'http://localhost:3000/auth'
      const config = {
        basePath: '/auth',
        secret: 'only for this test, and long enough for it',
        trustHost: true,
        providers: [HuggingFace({ clientId: env.OAUTH_CLIENT_ID, clientSecret: env.OAUTH_CLIENT_SECRET })],
      }
      const ask = async (path, init = {}) =>
        remember(await Auth(new Request(new URL(path, base), { ...init, headers: { cookie: cookie(), ...init.headers } }), config))
      const { csrfToken } = await (await ask('/auth/csrf')).json()
      const begun = await ask('/auth/signin/huggingface', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrfToken, callbackUrl: 'http://localhost:3000/done' }),
      })
      const { sentTo, redirectTo } = await approve(begun.headers.get('location'))
      const back = await ask(redirectTo)
      const session = await (await ask('/auth/session')).json()
      console.log(JSON.stringify({ sentTo, back: back.headers.get('location'), email: session?.user?.email ?? session }))`,
    )
    expect(ended).toMatchObject({
      status: 0,
      refused: [],
      told: {
        sentTo: 'https://huggingface.co/oauth/authorize',
        back: 'http://localhost:3000/done',
      },
    })
    expect(JSON.stringify(ended.told)).toContain('alice')
  })

  test('the hub’s own library asks at its default address', () => {
    const ended = exec(
      [],
      `import { whoAmI } from '@huggingface/hub'
      const me = await whoAmI({ accessToken: 'hf_sandbox_alice' })
      console.log(JSON.stringify({ name: me.name, type: me.type }))`,
    )
    expect(ended).toMatchObject({ status: 0, refused: [], told: { name: 'alice', type: 'user' } })
  })
})

/** Origins of the hub and of its router. */
const withRouter = ['--intercept', 'https://router.huggingface.co']

test('@huggingface/inference calls models at its default router, and at the URL of the sandbox', ({
  skip,
}) => {
  skip(obstacle !== undefined, obstacle)
  const ended = exec(
    withRouter,
    `import { createRepo } from '@huggingface/hub'
    import { InferenceClient } from '@huggingface/inference'
    const call = { model: 'alice/tiny-sentiment', messages: [{ role: 'user', content: 'Hello there' }] }
    const textOf = async (client) => (await client.chatCompletion(call)).choices[0].message.content
    const streamOf = async (client) => {
      const parts = []
      for await (const { choices } of client.chatCompletionStream(call)) parts.push(choices[0]?.delta.content ?? '')
      return { text: parts.join(''), parts: parts.length > 5 ? 'several' : parts }
    }
    const client = new InferenceClient('hf_sandbox_alice', { billTo: 'acme' })
    const direct = client.endpoint(process.env.HUB_SANDBOX_URL + '/v1')
    const card = '---\\npipeline_tag: feature-extraction\\n---\\n'
    await createRepo({
      repo: 'alice/embedder', accessToken: 'hf_sandbox_alice',
      files: [{ path: 'README.md', content: new Blob([card]) }],
    })
    const statusOf = (asked) => asked.then(() => 200, (error) => error.httpResponse?.status ?? String(error))
    console.log(JSON.stringify({
      router: [await textOf(client), await streamOf(client)],
      direct: [await textOf(direct), await streamOf(direct)],
      embedded: (await client.featureExtraction({ model: 'alice/embedder', provider: 'hf-inference', inputs: 'Hello' })).length,
      refused: [
        await statusOf(new InferenceClient('hf_wrong').chatCompletion(call)),
        await statusOf(new InferenceClient('hf_sandbox_alice', { billTo: 'nobody' }).chatCompletion(call)),
      ],
    }))`,
  )
  const text = expect.stringMatching(/You wrote: Hello there$/)
  const both = [text, { text, parts: 'several' }]
  expect(ended).toMatchObject({
    status: 0,
    refused: [],
    told: { router: both, direct: both, embedded: 384, refused: [401, 403] },
  })
})

test('Python’s InferenceClient calls models at its default router, through the proxy', async ({
  skip,
}) => {
  const installed = await installPythonPackages(pythonPackages)
  skip(installed.obstacle !== undefined, installed.obstacle)
  const script = `
import json
from huggingface_hub import InferenceClient
client = InferenceClient(api_key="hf_sandbox_alice")
call = {"model": "alice/tiny-sentiment", "messages": [{"role": "user", "content": "Hello there"}]}
once = client.chat_completion(**call).choices[0].message.content
parts = [chunk.choices[0].delta.content or "" for chunk in client.chat_completion(stream=True, **call)]
print(json.dumps({"once": once, "same": "".join(parts) == once}))`
  const ended = exec([...withRouter, '--proxy'], '', [installed.interpreter, '-c', script])
  expect(ended).toMatchObject({
    status: 0,
    told: { once: expect.stringMatching(/You wrote: Hello there$/), same: true },
  })
}, 240_000)

test('Python’s huggingface_hub asks at its default address, through the proxy', async ({
  skip,
}) => {
  const installed = await installPythonPackages(pythonPackages)
  skip(installed.obstacle !== undefined, installed.obstacle)
  const script = `
import json, os
# What the program was given says where the sandbox is; here nothing does, but the proxy.
os.environ.pop("HF_ENDPOINT", None)
from huggingface_hub import HfApi
from huggingface_hub import constants
me = HfApi(token="hf_sandbox_alice").whoami()
print(json.dumps({"endpoint": constants.ENDPOINT, "name": me["name"]}))`
  const ended = exec(['--proxy'], '', [installed.interpreter, '-c', script])
  expect(ended).toMatchObject({
    status: 0,
    told: { endpoint: 'https://huggingface.co', name: 'alice' },
  })
}, 240_000)
