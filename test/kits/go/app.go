// Package app signs users in at the hub.
package app

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const redirectURI = "http://localhost:8000/callback"

// Begin tells where to send the browser, and what to keep until it comes back.
func Begin() (location, verifier string, err error) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", "", err
	}
	verifier = base64.RawURLEncoding.EncodeToString(random)
	digest := sha256.Sum256([]byte(verifier))
	query := url.Values{
		"response_type":         {"code"},
		"client_id":             {os.Getenv("OAUTH_CLIENT_ID")},
		"redirect_uri":          {redirectURI},
		"scope":                 {"openid profile"},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(digest[:])},
		"code_challenge_method": {"S256"},
	}
	return hub("/oauth/authorize?" + query.Encode()), verifier, nil
}

// Finish tells the name of the user who came back with a code.
func Finish(code, verifier string) (string, error) {
	form := url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {code},
		"redirect_uri":  {redirectURI},
		"code_verifier": {verifier},
	}
	exchange, err := http.NewRequest("POST", hub("/oauth/token"), strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	exchange.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	exchange.SetBasicAuth(os.Getenv("OAUTH_CLIENT_ID"), os.Getenv("OAUTH_CLIENT_SECRET"))
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := ask(exchange, &token); err != nil {
		return "", err
	}
	userinfo, err := http.NewRequest("GET", hub("/oauth/userinfo"), nil)
	if err != nil {
		return "", err
	}
	userinfo.Header.Set("Authorization", "Bearer "+token.AccessToken)
	var user struct {
		Name string `json:"preferred_username"`
	}
	err = ask(userinfo, &user)
	return user.Name, err
}

func hub(path string) string {
	return os.Getenv("OPENID_PROVIDER_URL") + path
}

func ask(request *http.Request, answer any) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		return fmt.Errorf("%s answered %s", request.URL, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
