// What is tested: a program that finds the hub by HF_ENDPOINT, as the hub's own libraries do.
const hub = process.env.HF_ENDPOINT ?? 'https://huggingface.co'

/** Who has the token. */
export async function whoIs(token) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${hub}/api/whoami-v2`, { headers })
  if (!answer.ok) throw new Error(`the Hub refuses the token: ${answer.status}`)
  return (await answer.json()).name
}
