import { defineConfig } from 'vite'

export default defineConfig({
  server: { port: Number(process.env.PORT ?? 3000) },
  // What the page may know; a page keeps no secret, so its app is a public one.
  define: {
    hubUrl: JSON.stringify(process.env.OPENID_PROVIDER_URL ?? 'https://huggingface.co'),
    clientId: JSON.stringify(process.env.OAUTH_CLIENT_ID),
  },
})
