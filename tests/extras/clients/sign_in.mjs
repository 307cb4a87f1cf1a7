// Whoever signs in from a TypeScript client, without a browser: a program by its credentials, or a person, who follows
// the client to the issuer and brings back its code.
export function program(ClientCredentialsProvider, { issuer, scope }) {
  return new ClientCredentialsProvider({ clientId: "robot", clientSecret: "s3cret", expectedIssuer: issuer, scope });
}

export class Person {
  redirectUrl = "http://127.0.0.1:9/callback";
  clientMetadata = { redirect_uris: [this.redirectUrl], client_name: "test", token_endpoint_auth_method: "none" };

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  codeVerifier() {
    return this.verifier;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  state() {
    return "unguessable";
  }
  async redirectToAuthorization(url) {
    const answer = await fetch(url, { redirect: "manual" });
    this.code = new URL(answer.headers.get("location")).searchParams.get("code");
  }
}
