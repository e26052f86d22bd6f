import { describe, expect, test } from 'vitest'
import { createCookieNews, renderVerdict } from '../../server/cli/space-frame.ts'
import type { SpaceFrameItem, SpaceFrameList } from '../../server/contract/control-frames.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { framed, sendPlain, startApp } from '../helpers/framed-app.ts'
import { printed } from '../helpers/printed.ts'

const { run, start } = commandLineWorld()

describe('hub-sandbox space-frame', { timeout: 180_000 }, () => {
  test('prints what becomes of the cookies, and closes the frame on SIGINT', async () => {
    const { child, sandbox } = await start(['--ephemeral'])
    const app = await startApp((_request, response) =>
      response.setHeader('set-cookie', 'id=secret-value; SameSite=Lax').end(),
    )
    const list = async () => {
      const answer = await fetch(`${sandbox.url}/_sandbox/api/space-frames`)
      return ((await answer.json()) as SpaceFrameList).items
    }
    const command = run(['space-frame', app.url, '--mode', 'partitioned', '--url', sandbox.url])
    await printed(command, /as the Hub shows a Space: http:\S+\/_sandbox\/space-frames\/frame-1\n/)
    const [frame] = await list()
    expect(frame).toMatchObject({ target: `${app.url}/`, mode: 'partitioned' })
    const line = printed(command, /^.+(?=\n)/, 'stdout')
    await sendPlain((frame as SpaceFrameItem).url, framed)
    expect((await line)[0]).toBe(
      'frame   not sent  id  SameSite=Lax, so browsers do not store it when it is set in a frame of another site. Set SameSite=None; Secure; Partitioned.',
    )
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ code: 0 })
    expect(await list()).toEqual([])
    child.kill('SIGKILL')
  })

  test.each([
    [['nope://x'], /The URL of the app must be a port/],
    [['7860', '--mode', 'odd'], /--mode must be one of browser, partitioned, blocked, not odd\./],
    [['7860', '--frame-port', '70000'], /Invalid port "70000"/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(['space-frame', ...args]).ended
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

test('a verdict is printed once, and again when it changes', () => {
  const news = createCookieNews()
  const id = { name: 'id', attributes: 'SameSite=Lax' }
  const problem = 'The app forbids to be framed.'
  const frame = { cookies: [{ ...id, inFrame: { state: 'sent' as const } }], problems: [problem] }
  expect(news(frame).map(renderVerdict)).toEqual([problem, 'frame   sent      id'])
  expect(news(frame)).toEqual([])
  const directly = { state: 'not-sent' as const, explanation: 'It expired.' }
  expect(news({ cookies: [{ ...frame.cookies[0]!, directly }], problems: [] })).toEqual([
    { place: 'direct', ...id, ...directly },
  ])
})
