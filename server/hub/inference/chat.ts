import type { InferenceRule } from '../../contract/fixtures-types.ts'
import {
  type ChatResponse,
  type ChatBody,
  type ChatUsage,
  mostCompletionTokens,
} from '../../contract/hub-inference.ts'
import type { HubDeps } from '../hub-deps.ts'
import { textOfMessage } from './chat-messages.ts'
import { findRule } from './rules.ts'
import { countTokens, firstTokens } from './token-counts.ts'

type Choice = ChatResponse['choices'][number]
export type ChatDeps = Pick<HubDeps, 'clock' | 'ids'>

/** Error response of a rule. */
export type RuleError = NonNullable<InferenceRule['error']>

/**
 * Completes a conversation by the rules of the fixtures. Without a matching rule the completion repeats the last message.
 * @param model for the rules; the completion names the model of the request
 * @returns the completion, or the error of the rule; with the place of the rule, from 1, or 0 without one
 */
export function completeChat(
  { clock, ids }: ChatDeps,
  { rules, model, body }: { rules: readonly InferenceRule[]; model: string; body: ChatBody },
): { rule: number } & ({ completion: ChatResponse } | { error: RuleError }) {
  const rule = findRule(rules, model, body)
  const place = rule === undefined ? 0 : rules.indexOf(rule) + 1
  if (rule?.error !== undefined) return { rule: place, error: rule.error }
  const ownIds = ids.of('inference')
  const choice =
    rule?.toolCalls === undefined
      ? textChoice(rule?.reply ?? echo(body), body)
      : toolChoice(rule.toolCalls, () => `call_${ownIds.objectId()}`)
  return {
    rule: place,
    completion: {
      id: `chatcmpl-${ownIds.objectId()}`,
      object: 'chat.completion',
      created: Math.floor(clock.now() / 1000),
      model: body.model,
      choices: [choice],
      usage: usageOf(body, choice),
    },
  }
}

function echo({ messages }: ChatBody): string {
  const last = messages.at(-1)
  return `This is hub-sandbox, not a model. You wrote: ${last === undefined ? '' : textOfMessage(last)}`
}

function textChoice(text: string, body: ChatBody): Choice {
  const asked = body.max_completion_tokens ?? body.max_tokens ?? Infinity
  const { start } = firstTokens(text, Math.min(asked, mostCompletionTokens))
  const content = beforeStop(start, [body.stop ?? []].flat())
  const isCut = content.length === start.length && start.length < text.length
  return {
    index: 0,
    message: { role: 'assistant', content },
    finish_reason: isCut ? 'length' : 'stop',
  }
}

function beforeStop(text: string, stops: readonly string[]): string {
  const found = stops.filter((stop) => stop !== '').map((stop) => text.indexOf(stop))
  return text.slice(0, Math.min(...found.filter((at) => at >= 0), text.length))
}

function toolChoice(calls: NonNullable<InferenceRule['toolCalls']>, nextId: () => string): Choice {
  const toolCalls = calls.map(({ name, arguments: given = {} }) => ({
    id: nextId(),
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(given) },
  }))
  const message = { role: 'assistant' as const, content: null, tool_calls: toolCalls }
  return { index: 0, message, finish_reason: 'tool_calls' }
}

function usageOf({ messages }: ChatBody, { message }: Choice): ChatUsage {
  const prompt = messages.reduce((sum, one) => sum + countTokens(textOfMessage(one)), 0)
  const calls = (message.tool_calls ?? []).map((call) => call.function.arguments)
  const completion = countTokens([message.content ?? '', ...calls].join(''))
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
}
