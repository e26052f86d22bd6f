import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { receivesWebhooks, webhookSecret } from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'webhooks-python',
    needs: [pythonPackages],
    start: ['python', 'app.py'],
    environment: () => ({ WEBHOOK_SECRET: webhookSecret }),
  },
  receivesWebhooks,
)
