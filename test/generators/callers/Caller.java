import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.model.CreateDepositAnswer;
import org.openapitools.client.model.Currency;
import org.openapitools.client.model.DepositRequest;
import org.openapitools.client.model.Problem;

/** Creates a deposit, and reads a refusal by its code, with the Java code of openapi-generator. */
public final class Caller {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("ESCROW_URL"));
    client.setApiKey(System.getenv("ESCROW_API_KEY"));
    PaymentsApi payments = new PaymentsApi(client);

    CreateDepositAnswer deposit = depositFor(payments, System.getenv("ESCROW_USER_ID"));
    System.out.println("deposit " + deposit.getStatus() + " " + deposit.getAmount());
    try {
      depositFor(payments, "usr_" + UUID.randomUUID());
    } catch (ApiException error) {
      Problem problem = JSON.deserialize(error.getResponseBody(), Problem.class);
      System.out.println("problem " + error.getCode() + " " + problem.getCode());
    }
    System.exit(0);
  }

  private static CreateDepositAnswer depositFor(PaymentsApi payments, String userId) throws ApiException {
    DepositRequest body = new DepositRequest().amount(25000L).currency(Currency.USD).userId(userId);
    String companyId = System.getenv("ESCROW_COMPANY_ID");
    return payments.createDeposit(companyId, UUID.randomUUID().toString(), body, null);
  }
}
