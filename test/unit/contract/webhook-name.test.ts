import { describe, expect, test } from 'vitest'
import { nameOfWebhook, namesOfWebhooks } from '../../../server/contract/webhook-name.ts'

describe('the name of a webhook', () => {
  test.each([
    ['its name', { name: 'bot', target: 'http://localhost:3000/hook' }, 'bot'],
    ['its host and port', { target: 'http://localhost:3000/hook?key=secret' }, 'localhost:3000'],
    ['no password', { target: 'https://user:secret@hooks.example/a' }, 'hooks.example'],
    ['an IPv6 address', { target: 'http://[::1]:9/hook' }, '[::1]:9'],
    ['its host when the name is blank', { name: '  ', target: 'https://a.example/b' }, 'a.example'],
    ['its job', { target: 'job: python:3.12 main.py' }, 'job: python:3.12 main.py'],
    ['an invalid URL as it is', { target: 'http://' }, 'http://'],
  ])('is %s', (_, webhook, name) => {
    expect(nameOfWebhook(webhook)).toBe(name)
  })

  test('has the path where another webhook without a name calls the same host', () => {
    const names = namesOfWebhooks([
      { id: '1', target: 'http://localhost:3000/one?key=secret' },
      { id: '2', target: 'http://localhost:3000/two' },
      { id: '3', target: 'http://localhost:4000/one' },
      { id: '4', name: 'bot', target: 'http://localhost:4000/one' },
      { id: '5', name: 'bot', target: 'http://localhost:5000/one' },
    ])
    expect([...names.values()]).toEqual([
      'localhost:3000/one',
      'localhost:3000/two',
      'localhost:4000',
      'bot',
      'bot',
    ])
  })
})
