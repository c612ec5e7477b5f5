import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.gephi.graph.api.Column;
import org.gephi.graph.api.Edge;
import org.gephi.graph.api.Element;
import org.gephi.graph.api.GraphController;
import org.gephi.graph.api.GraphModel;
import org.gephi.graph.api.Node;
import org.gephi.graph.api.Table;
import org.gephi.io.importer.api.Container;
import org.gephi.io.importer.api.ImportController;
import org.gephi.io.importer.api.Issue;
import org.gephi.io.processor.plugin.DefaultProcessor;
import org.gephi.project.api.ProjectController;
import org.openide.util.Lookup;

/**
 * Opens graph files as Gephi does, each in a workspace of its own, and prints what is in it: lines of cells with a bar
 * between them, `file`, `column`, `node`, `edge` or `issue`.
 */
public class ReadGraphs {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] paths) throws Exception {
        Lookup lookup = Lookup.getDefault();
        ProjectController projects = lookup.lookup(ProjectController.class);
        ImportController imports = lookup.lookup(ImportController.class);
        for (String path : paths) {
            print("file", path);
            projects.newProject();
            Container container = imports.importFile(new File(path));
            container.getReport().getIssuesList(100).forEach(
                issue -> print("issue", issue.getLevel() + " " + issue.getMessage()));
            imports.process(container, new DefaultProcessor(), projects.getCurrentWorkspace());
            GraphModel model = lookup.lookup(GraphController.class).getGraphModel(projects.getCurrentWorkspace());
            columns("node", model.getNodeTable());
            columns("edge", model.getEdgeTable());
            for (Node node : model.getGraph().getNodes()) {
                print("node", node.getLabel() + "|" + node.getColor().getRGB() + "|" + values(node, model.getNodeTable()));
            }
            for (Edge edge : model.getGraph().getEdges()) {
                String ends = edge.getSource().getLabel() + "|" + edge.getTarget().getLabel();
                print("edge", ends + "|" + edge.isDirected() + "|" + values(edge, model.getEdgeTable()));
            }
        }
        System.exit(0);
    }

    private static void columns(String kind, Table table) {
        for (Column column : table) {
            print("column", kind + "|" + column.getTitle() + "|" + column.getTypeClass().getSimpleName());
        }
    }

    private static List<String> values(Element element, Table table) {
        List<String> values = new ArrayList<>();
        for (Column column : table) {
            if (!column.isProperty() && element.getAttribute(column) != null) {
                values.add(column.getTitle() + "=" + element.getAttribute(column));
            }
        }
        Collections.sort(values);
        return values;
    }

    private static void print(String kind, String told) {
        OUT.println(kind + "|" + told.replace("\n", " "));
    }
}
