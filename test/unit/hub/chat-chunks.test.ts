import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatResponse } from '../../../server/contract/hub-inference.ts'
import { chatEvents } from '../../../server/hub/inference/chat-chunks.ts'
import { countTokens, firstTokens, tokensOf } from '../../../server/hub/inference/token-counts.ts'

const completionOf = (content: string): ChatResponse => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'a/"b"',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
})

test('tokens are counted and cut as they are streamed, and joined they are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(5), (text, most) => {
      const tokens = [...tokensOf(text)]
      expect(tokens.join('')).toBe(text)
      expect(countTokens(text)).toBe(tokens.length)
      expect(firstTokens(text, most)).toEqual({
        start: tokens.slice(0, most).join(''),
        count: Math.min(most, tokens.length),
      })
    }),
  )
})

test.each([true, false])('each event of a stream is JSON (usage: %s)', (includeUsage) => {
  const stream = [...chatEvents(completionOf('say "hi"\n\u2028 you'), includeUsage)].join('')
  const events = stream.split('\n\n').filter((event) => event !== '')
  expect(events.pop()).toBe('data: [DONE]')
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)) as ChatResponse)
  for (const chunk of chunks) {
    expect(chunk).toMatchObject({ id: 'chatcmpl-1', model: 'a/"b"', created: 1 })
    expect('usage' in chunk).toBe(includeUsage)
  }
  const choices = chunks.flatMap((chunk) => chunk.choices as { delta?: { content?: string } }[])
  expect(choices.map(({ delta }) => delta?.content ?? '').join('')).toBe('say "hi"\n\u2028 you')
})

test('events are made only as far as they are read', async () => {
  let made = 0
  function* counted(): Generator<string> {
    for (const part of chatEvents(completionOf('a '.repeat(16_384)), false)) {
      made += 1
      yield part
    }
  }
  const stream = Readable.from(counted(), { highWaterMark: 1 })
  await new Promise((resolve) => stream.once('readable', resolve))
  expect(made).toBeLessThan(5)
  const parts = (await stream.toArray()).length
  expect(parts).toBe(made)
  // An event of 150 characters alone in its part would make ten times as many.
  expect(parts).toBeLessThan(1500)
})
