import sys

from huggingface_hub import login, whoami
from huggingface_hub.errors import DeviceCodeError

try:
    # Shows an address and a code, and waits until its user has allowed it in a browser.
    login()
except DeviceCodeError as error:
    sys.exit(f"Not signed in: {error}")
print(f"Signed in as {whoami()['name']}")
