import { ownCommand } from '../app/config/own-command.ts'
import { commandText } from '../core/shell-words.ts'
import { controlToolList } from '../lab/mcp/control-tools.ts'

/** Returns a skill file that teaches a coding agent to test a Hub app with the sandbox. */
export function agentSkill(): string {
  const run = (words: string) => commandText([...ownCommand(), ...words.split(' ')])
  const tools = controlToolList.map(
    ({ name, description = '' }) => `| \`${name}\` | ${firstSentence(description)} |`,
  )
  return `---
name: hub-sandbox
description: Test an app of the Hugging Face Hub (sign-in with OAuth, webhooks, Hub API) against a local sandbox. Use it when a sign-in is refused, a webhook receiver fails, or a test needs a Hub.
---

# Test a Hub app with hub-sandbox

hub-sandbox is an offline Hugging Face Hub on this machine. It needs no account. All of its data, tokens included, is fake.

## Connect

1. Start it: \`${run('start')}\` (\`${run('status')}\` shows whether one runs).
2. Add it to your MCP servers: command and arguments \`${run('mcp')}\`.
   Over HTTP, the same server is at \`/_sandbox/mcp\` of the sandbox.
3. Give the app its variables: \`${run('env --dotenv')}\`.

Without MCP, run a command of the app against its own sandbox: \`${run('exec -- npm test')}\`.

## Repair a sign-in

1. Start the sign-in in the app and take the URL that it sends the browser to.
2. Call \`sign_in\` with the parameters of this URL and \`user\` (\`alice\`, \`bob\`, \`carol\` or \`dave\`).
3. If it is refused, call \`last_refusal\`: it has the reason and suggested fixes.
4. If the app is wrong, change the app. If its registration is wrong, call \`apply_fix\`, and tell the user what to change on the real Hub.
5. Call \`sign_in\` again, and open the returned URL to finish the sign-in in the app.
6. If the token request fails afterwards, call \`last_refusal\` again; \`show_flow\` lists every step.

## Repair a webhook receiver

1. \`trigger_event\` with \`event: repo.content\` and \`repo: acme/corpus\`.
2. \`list_deliveries\`: state, last status and next retry of each.
3. Change the receiver, then \`replay\` the delivery by its id. \`move_clock\` with \`advance: 2h\` reaches a retry.

## Test failures

\`add_fault\` with \`match: {route: /oauth/token}\`, \`times: 1\` and \`status: 503\` lets one token request fail. \`move_clock\` with
\`advance: 8h\` expires access tokens. \`reset\` returns to the fixtures; call it between independent tests.

## Tools

| Tool | Does |
|---|---|
${tools.join('\n')}

## Rules

- Put no real secrets into the sandbox.
- Do not work around a refusal in the sandbox: the real Hub refuses the same request.
`
}

function firstSentence(text: string): string {
  return text.split(/\.(?:\s|$)/)[0] ?? text
}
