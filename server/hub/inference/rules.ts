import type { InferenceRule } from '../../contract/fixtures-types.ts'
import type { ChatBody } from '../../contract/hub-inference.ts'
import { fitsPattern } from '../../contract/fits-pattern.ts'
import { textOfMessage } from './chat-messages.ts'

/** Finds the first rule that matches a request. */
export function findRule(
  rules: readonly InferenceRule[],
  model: string,
  body: ChatBody,
): InferenceRule | undefined {
  const last = body.messages.at(-1)
  const text = last === undefined ? '' : textOfMessage(last).toLowerCase()
  const offered = new Set(
    body.tool_choice === 'none' ? [] : (body.tools ?? []).map((tool) => tool.function?.name),
  )
  return rules.find(
    (rule) =>
      (rule.model === undefined || fitsPattern(rule.model.toLowerCase(), model.toLowerCase())) &&
      (rule.lastRole === undefined || rule.lastRole === last?.role) &&
      (rule.lastMessage === undefined ||
        fitsPattern(`*${rule.lastMessage.toLowerCase()}*`, text)) &&
      (rule.toolCalls ?? []).every(({ name }) => offered.has(name)),
  )
}
