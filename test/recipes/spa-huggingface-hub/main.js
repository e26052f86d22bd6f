import { oauthHandleRedirectIfPresent, oauthLoginUrl } from '@huggingface/hub'

/* global clientId, hubUrl -- vite.config.js defines them */
const [signIn, signOut] = document.querySelectorAll('button')

signIn.addEventListener('click', async () => {
  const redirectUrl = `${location.origin}/`
  location.href = await oauthLoginUrl({ clientId, hubUrl, redirectUrl, scopes: 'openid profile' })
})
signOut.addEventListener('click', () => {
  localStorage.removeItem('user')
  show()
})

function show(refusal) {
  const user = localStorage.getItem('user')
  const status = user === null ? 'Not signed in' : `Signed in as ${user}`
  document.querySelector('[role=status]').textContent = refusal ?? status
  signIn.hidden = user !== null
  signOut.hidden = user === null
}

try {
  const result = await oauthHandleRedirectIfPresent({ hubUrl })
  if (result) localStorage.setItem('user', result.userInfo.preferred_username)
  show()
} catch (error) {
  show(`Not signed in: ${error.message}`)
}
// The code in the address is used up.
history.replaceState({}, '', location.pathname)
