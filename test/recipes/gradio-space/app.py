import gradio as gr


def greet(profile: gr.OAuthProfile | None, token: gr.OAuthToken | None) -> str:
    if profile is None or token is None:
        return "Please sign in."
    return f"Hello, {profile.name}! This app may: {token.scope}"


with gr.Blocks() as demo:
    gr.LoginButton()
    greeting = gr.Markdown()
    demo.load(greet, outputs=greeting)

if __name__ == "__main__":
    demo.launch()
