import { describe, expect, test } from 'vitest'
import { destinationOf, isAllowedPermission } from '../../../electron/navigation.ts'

const origin = 'http://localhost:7420'

describe('the target of a link', () => {
  test.each([
    [`${origin}/_sandbox/`],
    [`${origin}/oauth/authorize?client_id=a`],
    ['HTTP://LOCALHOST:7420/login'],
  ])('%s stays in the window', (address) => {
    expect(destinationOf(address, origin)).toBe('window')
  })

  test.each([
    ['http://localhost:7421/_sandbox/'],
    ['https://localhost:7420/_sandbox/'],
    ['http://127.0.0.1:7420/_sandbox/'],
    ['http://localhost.example.com:7420/'],
    ['https://example.com/?next=http://localhost:7420'],
  ])('%s opens in the browser', (address) => {
    expect(destinationOf(address, origin)).toBe('browser')
  })

  test.each([
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['data:text/html,<p>'],
    [`blob:${origin}/0d9f`],
    ['about:blank'],
    ['ms-settings:'],
    ['my-app://callback?code=1'],
    ['http://localhost:7420@example.com/'],
    ['//localhost:7420/'],
    [''],
  ])('%s opens nowhere', (address) => {
    expect(destinationOf(address, origin)).toBe('nowhere')
  })
})

describe('permissions of a page', () => {
  test('include writing to the clipboard, on a page of the sandbox only', () => {
    expect(isAllowedPermission('clipboard-sanitized-write', `${origin}/_sandbox/`, origin)).toBe(
      true,
    )
    expect(isAllowedPermission('clipboard-sanitized-write', 'http://localhost:1/', origin)).toBe(
      false,
    )
  })

  test.each([['clipboard-read'], ['media'], ['geolocation'], ['notifications'], ['openExternal']])(
    'exclude %s',
    (permission) => {
      expect(isAllowedPermission(permission, `${origin}/_sandbox/`, origin)).toBe(false)
    },
  )
})
