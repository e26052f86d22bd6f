import { describe, expect, test } from 'vitest'
import { createPlaces } from '../../../../server/lab/frames/frame-place.ts'

const origin = 'http://127.0.0.1:5000'
const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-storage-access': 'active' }
const direct = { 'sec-fetch-dest': 'document' }

describe('the place of a request', () => {
  test('navigations say it', () => {
    const placeOf = createPlaces()
    expect(placeOf({ 'sec-fetch-dest': 'iframe' }, '/')).toBe('frame')
    expect(placeOf(direct, '/')).toBe('direct')
  })

  test('a browser with Sec-Fetch-Storage-Access says it with every request', () => {
    const placeOf = createPlaces()
    placeOf(frame, '/')
    placeOf(direct, '/')
    const script = { 'sec-fetch-dest': 'script', referer: `${origin}/` }
    expect(placeOf({ ...script, 'sec-fetch-storage-access': 'none' }, '/a.js')).toBe('frame')
    expect(placeOf(script, '/a.js')).toBe('direct')
  })

  test('else the page that it comes from decides, unless it was opened in both places', () => {
    const placeOf = createPlaces()
    placeOf({ 'sec-fetch-dest': 'iframe' }, '/app?a=1')
    placeOf(direct, '/other')
    const from = (page: string) =>
      placeOf({ 'sec-fetch-dest': 'empty', referer: origin + page }, '/api')
    expect(from('/app?a=1')).toBe('frame')
    expect(from('/other')).toBe('direct')
    expect(from('/elsewhere')).toBe('unknown')
    placeOf(direct, '/app?a=1')
    expect(from('/app?a=1')).toBe('unknown')
  })

  test('a program says nothing', () => {
    expect(createPlaces()({}, '/')).toBe('unknown')
  })

  test('the number of remembered pages is limited', () => {
    const placeOf = createPlaces()
    placeOf({ 'sec-fetch-dest': 'iframe' }, '/first')
    for (let index = 0; index < 400; index++) placeOf(direct, `/${index}`)
    expect(placeOf({ 'sec-fetch-dest': 'empty', referer: `${origin}/first` }, '/api')).toBe(
      'direct',
    )
  })
})
