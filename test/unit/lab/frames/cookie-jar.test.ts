import { describe, expect, test } from 'vitest'
import type { CookieMode, FramePlace } from '../../../../server/contract/words/frame-words.ts'
import { createCookieJar } from '../../../../server/lab/frames/cookie-jar.ts'
import type { CookieSituation } from '../../../../server/lab/frames/judge-cookie.ts'

const good = 'SameSite=None; Secure; Partitioned; Path=/'

function createWorld(mode: CookieMode = 'browser') {
  const jar = createCookieJar()
  jar.begin(mode)
  const at = (place: FramePlace, more: Partial<CookieSituation> = {}): CookieSituation => ({
    place,
    host: '127.0.0.1',
    path: '/callback',
    method: 'GET',
    nowMs: 1000,
    ...more,
  })
  return {
    jar,
    set: (line: string, place: FramePlace = 'frame', more?: Partial<CookieSituation>) =>
      jar.store([line], at(place, more)),
    send: (
      header: string | undefined,
      place: FramePlace = 'frame',
      more?: Partial<CookieSituation>,
    ) => jar.send(header, at(place, more)),
    inFrame: (name: string) => jar.describe().find((cookie) => cookie.name === name)?.inFrame,
  }
}

describe('cookies that browsers do not store', () => {
  test.each([
    ['id=1', 'frame', 'same-site', /no SameSite, which means Lax/],
    ['id=1; SameSite=Lax', 'frame', 'same-site', /SameSite=Lax/],
    ['id=1; SameSite=Strict; Secure', 'frame', 'same-site', /SameSite=Strict/],
    ['id=1; SameSite=None', 'direct', 'secure', /without Secure/],
    ['id=1; SameSite=None; Partitioned', 'frame', 'secure', /without Secure/],
    ['id=1; Partitioned', 'direct', 'partitioned-without-secure', /Partitioned without Secure/],
    ['__Host-id=1; Secure; Path=/a', 'direct', 'prefix', /Path=\//],
    ['__Secure-id=1', 'direct', 'prefix', /requires Secure/],
    [
      `id=1; Domain=example.com; ${good}`,
      'frame',
      'domain',
      /does not cover the host 127\.0\.0\.1/,
    ],
    [`id=1; Domain=0.0.1; ${good}`, 'frame', 'domain', /does not cover/],
    [`id=${'x'.repeat(4100)}; ${good}`, 'frame', 'size', /4102 characters/],
  ] as const)('%.40s (%s)', (line, place, reason, explanation) => {
    const { set } = createWorld()
    const { set: told, lines } = set(line, place)
    expect(told).toEqual([
      expect.objectContaining({
        kept: false,
        reason,
        explanation: expect.stringMatching(explanation),
        fix: expect.any(String),
      }),
    ])
    // The browser decides; the sandbox only judges.
    expect(lines).toEqual([line])
    expect(JSON.stringify(told)).not.toContain('id=1')
  })

  test.each([
    [`id=1; ${good}`, 'frame'],
    ['id=1; SameSite=None; Secure', 'frame'],
    ['id=1', 'direct'],
    ['id=1; SameSite=Strict', 'direct'],
    ['__Host-id=1; Secure; Path=/', 'direct'],
    ['id=1; Domain=127.0.0.1', 'direct'],
  ] as const)('%s (%s) is stored', (line, place) => {
    expect(createWorld().set(line, place).set).toEqual([expect.objectContaining({ kept: true })])
  })
})

describe('cookies that a browser did not send', () => {
  test.each([
    ['id=1; SameSite=Lax', 'direct', 'frame', {}, 'same-site'],
    ['id=1; SameSite=Lax', 'frame', 'frame', {}, 'same-site'],
    [`id=1; ${good.replace('Path=/', 'Path=/auth')}`, 'frame', 'frame', {}, 'path'],
    [`id=1; ${good}; Max-Age=1`, 'frame', 'frame', { nowMs: 9000 }, 'expired'],
    [`id=1; ${good}`, 'frame', 'frame', { host: 'localhost' }, 'host'],
    [`id=1; ${good}`, 'direct', 'frame', {}, 'partition'],
    [`id=1; ${good}`, 'frame', 'direct', {}, 'partition'],
    ['id=1; SameSite=None; Secure', 'frame', 'frame', {}, 'third-party'],
    ['id=1; SameSite=None; Secure', 'frame', 'direct', {}, 'partition'],
    ['id=1; SameSite=Strict', 'direct', 'direct', { site: 'cross-site' }, 'redirect'],
    ['id=1', 'direct', 'direct', { site: 'cross-site', method: 'POST' }, 'redirect'],
    ['id=1', 'direct', 'direct', {}, 'unknown'],
  ] as const)('%s, set %s, missing %s %j: %s', (line, setIn, sentIn, more, reason) => {
    const { set, send } = createWorld()
    set(line, setIn)
    expect(send(undefined, sentIn, more).cookies).toEqual([
      expect.objectContaining({ name: 'id', state: 'not-sent', reason }),
    ])
  })

  test('the browser itself may say that it blocks third-party cookies', () => {
    const { set, send } = createWorld()
    set('id=1; SameSite=None; Secure')
    const say = (storageAccess?: string) =>
      send(undefined, 'frame', { storageAccess }).cookies[0]?.explanation
    expect(say('none')).toMatch(/This browser blocks third-party cookies/)
    expect(say()).toMatch(/seems to block/)
  })

  test('a cookie that arrives is sent, whatever the rules say', () => {
    const { set, send, jar } = createWorld()
    set('id=1; SameSite=None; Secure')
    expect(send('other=2; id=1').cookies).toEqual([{ name: 'id', state: 'sent' }])
    expect(jar.describe()).toEqual([
      expect.objectContaining({
        inFrame: { state: 'sent' },
        advice: expect.stringMatching(/add Partitioned/),
      }),
    ])
  })

  test('a request outside its path does not hide that a cookie works', () => {
    const { set, send, inFrame } = createWorld()
    set(`id=1; ${good.replace('Path=/', 'Path=/auth')}`)
    send('id=1', 'frame', { path: '/auth/callback' })
    send(undefined, 'frame', { path: '/style.css' })
    expect(inFrame('id')).toEqual({ state: 'sent' })
  })

  test('a deleted cookie is forgotten', () => {
    const { set, send, jar } = createWorld()
    set(`id=1; ${good}`)
    set(`id=; ${good}; Max-Age=0`)
    expect(send(undefined).cookies).toEqual([])
    expect(jar.describe()).toEqual([])
  })

  test('a cookie of the same name in each partition is judged by its own', () => {
    const { set, send } = createWorld()
    set(`id=1; ${good}`, 'direct')
    set(`id=2; ${good}`, 'frame')
    const [verdict] = send(undefined, 'frame').cookies
    expect(verdict?.reason).toBe('unknown')
  })
})

describe('modes', () => {
  test('partitioned: only partitioned cookies pass the frame, in both directions', () => {
    const { set, send } = createWorld('partitioned')
    expect(set('a=1; SameSite=None; Secure')).toMatchObject({
      lines: [],
      set: [{ kept: false, reason: 'mode' }],
    })
    expect(set(`b=1; ${good}`).lines).toHaveLength(1)
    expect(send('a=1; b=1; script=1')).toEqual({
      header: 'b=1',
      cookies: [
        expect.objectContaining({ name: 'a', state: 'not-sent', isSandbox: true }),
        { name: 'b', state: 'sent' },
      ],
    })
    expect(send('a=1; b=1', 'direct').header).toBe('a=1; b=1')
  })

  test('blocked: no cookie passes the frame', () => {
    const { set, send } = createWorld('blocked')
    expect(set(`b=1; ${good}`).lines).toEqual([])
    expect(send('b=1').header).toBeUndefined()
    expect(send('b=1', 'direct').header).toBe('b=1')
  })

  test('a change of the mode keeps the cookies, and drops the verdicts', () => {
    const { jar, set, send, inFrame } = createWorld('blocked')
    jar.begin('browser')
    set(`id=1; ${good}`)
    send('id=1')
    jar.begin('blocked')
    expect(inFrame('id')).toBeUndefined()
    send('id=1')
    expect(inFrame('id')).toMatchObject({ state: 'not-sent', reason: 'mode', isSandbox: true })
    jar.begin('partitioned')
    expect(send('id=1').header).toBe('id=1')
  })
})

describe('limits', () => {
  test('cookies of sandboxes are never passed on, nor set', () => {
    const { set, send, jar } = createWorld()
    expect(send('hub_sandbox_session_7420=secret; a=1', 'direct').header).toBe('a=1')
    expect(set('hub_sandbox_session_7420=evil', 'direct').lines).toEqual([])
    expect(jar.describe()).toEqual([])
  })

  test('the number of known cookies is limited, and long names are cut', () => {
    const { set, jar } = createWorld()
    for (let index = 0; index < 300; index++) set(`cookie${index}=1; ${good}`)
    expect(jar.describe()).toHaveLength(200)
    set(`${'n'.repeat(500)}=1; ${good}`)
    expect(jar.describe().at(-1)?.name).toHaveLength(101)
  })

  test('what a response says is kept short', () => {
    const { jar, set, send } = createWorld()
    const long = 'x'.repeat(100_000)
    set(`${long}=1; Path=/${long}; Domain=${long}; ${good}`)
    set('id=1; SameSite=None; Secure; Partitioned', 'frame', { path: `/${long}/a` })
    const lines = Array.from({ length: 500 }, (_, index) => `c${index}=1; ${good}`)
    const { set: told } = jar.store(lines, {
      place: 'frame',
      host: 'h',
      path: '/',
      method: 'GET',
      nowMs: 0,
    })
    expect(told).toHaveLength(100)
    send(undefined, 'frame', { host: long })
    expect(JSON.stringify(jar.describe()).length).toBeLessThan(400_000)
  })

  test('a request with very many cookies is read quickly', () => {
    const { set, send } = createWorld('partitioned')
    for (let index = 0; index < 200; index++) set(`c${index}=1; ${good}`)
    const header = Array.from({ length: 20_000 }, (_, index) => `n${index}=1`).join('; ')
    const before = performance.now()
    expect(send(header).cookies).toHaveLength(200)
    expect(performance.now() - before).toBeLessThan(5000)
  })
})
